import { ApiError } from './api-error.ts';

/** 404: there is no such model, user or path. */
export class NotFoundError extends ApiError {
  static override readonly kind: string = 'NotFoundError';
  declare readonly name: 'NotFoundError';
}
