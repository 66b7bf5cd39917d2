import type { components } from '../generated/openapi.ts';

type Schemas = components['schemas'];

/** The credit that is left for calls of the API. `credit` is a decimal number in a string: never make a float of it. */
export type ApiCredit = Schemas['ApiCredit'];

/** The package a user has bought. */
export type Package = Schemas['Package'];
