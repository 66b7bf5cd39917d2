import { ApiError } from './api-error.ts';

/** 413: the request body or the file in it is larger than the service takes. */
export class PayloadTooLargeError extends ApiError {
  static override readonly kind: string = 'PayloadTooLargeError';
  declare readonly name: 'PayloadTooLargeError';
}
