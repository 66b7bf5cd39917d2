import { ApiError } from './api-error.ts';

/** 401: the API key is missing or unknown. */
export class AuthenticationError extends ApiError {
  static override readonly kind: string = 'AuthenticationError';
  declare readonly name: 'AuthenticationError';
}
