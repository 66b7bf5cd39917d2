import type { components } from '../generated/openapi.ts';

type Schemas = components['schemas'];

/** One of the two error bodies: what went wrong, in words no program may depend on. */
export type GeneralError = Schemas['GeneralError'];

/** One thing in a request that the specification does not allow, and where it stands. */
export type ValidationIssue = Schemas['ValidationIssue'];

/** The other error body: everything in a request that the specification does not allow. */
export type ValidationError = Schemas['ValidationError'];

/** The same on the model endpoints, where `in` names the part of the request. */
export type ModelValidationError = Schemas['ModelValidationError'];
