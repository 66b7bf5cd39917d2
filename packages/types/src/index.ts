import type { operations } from './generated/openapi.ts';

export { abbreviations } from './abbreviations.ts';
export type { BinaryInput, BinaryOutput } from './binary.ts';
export type { Decoded } from './decoded.ts';
export * from './generated/constants.ts';
export { expressions } from './generated/expressions.ts';
export * from './generated/live.ts';
export type { components, operations, paths } from './generated/openapi.ts';
export { operationTable } from './generated/operations.ts';
export { refusals } from './generated/refusals.ts';
export { synthesisRules } from './generated/rules.ts';
export { tolerances } from './generated/tolerances.ts';
export type { OperationInfo } from './operation-info.ts';
export type * from './rule-data.ts';
export type * from './schemas/errors.ts';
export type * from './schemas/live.ts';
export type * from './schemas/speech.ts';
export type * from './schemas/stream.ts';
export type * from './schemas/transcription.ts';
export type * from './schemas/voice-models.ts';
export type * from './schemas/wallet.ts';

/** The name of an operation, as in the specification: a key of {@link operationTable}. */
export type OperationId = keyof operations;
