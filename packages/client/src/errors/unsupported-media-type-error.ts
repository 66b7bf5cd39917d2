import { ApiError } from './api-error.ts';

/** 415: the operation does not take a body of this media type. */
export class UnsupportedMediaTypeError extends ApiError {
  static override readonly kind: string = 'UnsupportedMediaTypeError';
  declare readonly name: 'UnsupportedMediaTypeError';
}
