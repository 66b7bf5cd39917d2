import { ApiError } from './api-error.ts';

/** 402: the account has no credit left for this call. */
export class InsufficientCreditError extends ApiError {
  static override readonly kind: string = 'InsufficientCreditError';
  declare readonly name: 'InsufficientCreditError';
}
