import type { operations } from './generated/openapi.ts';

export type { BinaryInput, BinaryOutput } from './binary.ts';
export * from './generated/constants.ts';
export type { components, operations, paths } from './generated/openapi.ts';
export { operationTable } from './generated/operations.ts';
export { refusals } from './generated/refusals.ts';
export { synthesisRules } from './generated/rules.ts';
export { tolerances } from './generated/tolerances.ts';
export type { OperationInfo } from './operation-info.ts';
export type * from './rule-data.ts';
export type * from './schemas.ts';

/** Names of the operations, as in the specification. */
export type OperationId = keyof operations;

/** Filters of the model list; each is optional. */
export type ListModelsQuery = NonNullable<operations['listModels']['parameters']['query']>;
