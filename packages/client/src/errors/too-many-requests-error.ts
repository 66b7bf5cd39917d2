import { ApiError } from './api-error.ts';

/** 429: more requests run at once than the account allows; see the option \`concurrency\`. */
export class TooManyRequestsError extends ApiError {
  static override readonly kind: string = 'TooManyRequestsError';
  declare readonly name: 'TooManyRequestsError';
}
