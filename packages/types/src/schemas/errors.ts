import type { components } from '../generated/openapi.ts';

type Schemas = components['schemas'];

/** One of the two error bodies: what went wrong, in words no program may depend on (section 7). */
export type GeneralError = Schemas['GeneralError'];

/** One thing in a request that the specification does not allow, and where it stands (section 7). */
export type ValidationIssue = Schemas['ValidationIssue'];

/** The other error body: everything in a request that the specification does not allow (section 7). */
export type ValidationError = Schemas['ValidationError'];

/** The same on the model endpoints, where `in` tells which part of the request is meant (section 7). */
export type ModelValidationError = Schemas['ModelValidationError'];
