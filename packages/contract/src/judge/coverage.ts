import { type OperationId, operationTable } from '@speech-api/types';
import { mediaTypeOf } from '../answer/answer.ts';
import type { Exchange } from '../exchange.ts';
import { findOperation, operations } from '../specification/operations.ts';

/** What was judged. */
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

/** What the spec documents and no exchange has shown: a success of each operation, in each media type both ways. */
export function findUncovered(
  exchanges: readonly Exchange[],
  notTried: readonly Uncovered[],
): readonly Uncovered[] {
  const seen = new Set(exchanges.flatMap(shown));
  const gaps: Uncovered[] = [...operations().keys()].flatMap((operationId): readonly Uncovered[] => {
    // Without an operation nothing of it can be there; once is enough to say.
    if (!seen.has(operationId)) return [{ operationId, what: 'operation' }];
    const { requestMediaTypes, responseMediaTypes } = operationTable[operationId];
    return [
      ...missing(seen, operationId, 'request-media-type', requestMediaTypes),
      ...missing(seen, operationId, 'response-media-type', responseMediaTypes),
    ];
  });
  return gaps.map((gap) => withReason(gap, notTried));
}

/** The media types of an operation that nothing was seen of. */
function missing(
  seen: ReadonlySet<string>,
  operationId: OperationId,
  what: 'request-media-type' | 'response-media-type',
  types: readonly string[],
): readonly Uncovered[] {
  return types
    .filter((mediaType) => !seen.has(`${operationId} ${what} ${mediaType}`))
    .map((mediaType) => ({ operationId, what, mediaType }));
}

/** What one exchange shows, if it succeeded. */
function shown(exchange: Exchange): readonly string[] {
  if (exchange.kind === 'live') {
    // A server that opens the socket and then says nothing has shown nothing.
    const isAnswered = (exchange.unanswered ?? []).length === 0;
    return exchange.upgrade.response.status === 101 && isAnswered ? [exchange.operationId] : [];
  }
  const { request, response } = exchange;
  const id = exchange.operationId ?? findOperation(request.method, request.url)?.id;
  if (id === undefined || !isSuccess(response.status)) return [];
  return [
    id,
    `${id} request-media-type ${mediaTypeOf(request.headers['content-type'])}`,
    `${id} response-media-type ${mediaTypeOf(response.headers['content-type'])}`,
  ];
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function withReason(gap: Uncovered, notTried: readonly Uncovered[]): Uncovered {
  const told = notTried.find(
    ({ operationId, what, mediaType }) =>
      operationId === gap.operationId &&
      (what === 'operation' || (what === gap.what && mediaType === gap.mediaType)),
  );
  return told?.reason === undefined ? gap : { ...gap, reason: told.reason };
}
