import { ApiError } from './api-error.ts';

/** 422: the request breaks the schema; {@link ApiError.issues} names each field and what is wrong with it. */
export class InvalidRequestError extends ApiError {
  static override readonly kind: string = 'InvalidRequestError';
  declare readonly name: 'InvalidRequestError';
}
