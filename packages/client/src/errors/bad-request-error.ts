import { ApiError } from './api-error.ts';

/** 400: the request is well-formed, but what it asks for does not exist or go together, such as a voice that is unknown. */
export class BadRequestError extends ApiError {
  static override readonly kind: string = 'BadRequestError';
  declare readonly name: 'BadRequestError';
}
