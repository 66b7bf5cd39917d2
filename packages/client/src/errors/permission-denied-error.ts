import { ApiError } from './api-error.ts';

/** 403: the key may not do this, for example read a private model of somebody else. */
export class PermissionDeniedError extends ApiError {
  static override readonly kind: string = 'PermissionDeniedError';
  declare readonly name: 'PermissionDeniedError';
}
