import { ApiError } from './api-error.ts';

/** 5xx: the service, or a gateway in front of it, failed or is overloaded. */
export class ServerError extends ApiError {
  static override readonly kind: string = 'ServerError';
  declare readonly name: 'ServerError';
}
