import type { OperationId } from '@speech-api/types';

/** What was looked at. */
export interface Coverage {
  readonly cells: readonly CoverageCell[];
  /** What the spec documents and nothing was seen of. Empty is full coverage. */
  readonly uncovered: readonly Uncovered[];
}

/** One operation, status and media type, with the rules that were judged there. */
export interface CoverageCell {
  readonly operationId: OperationId;
  readonly status: number;
  /** Of the answer; empty when it had no body. */
  readonly mediaType: string;
  readonly exchanges: number;
  /** By the id of the rule. */
  readonly rules: Readonly<Record<string, { readonly kept: number; readonly broken: number }>>;
}

/** A gap: an operation, or a media type of its requests or of its successful answers. */
export interface Uncovered {
  readonly operationId: OperationId;
  readonly what: 'operation' | 'request-media-type' | 'response-media-type';
  readonly mediaType?: string;
  /** Why it was not tried, when that is known. */
  readonly reason?: string;
}
