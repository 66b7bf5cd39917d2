import { audioMediaTypes, type OperationId, operationTable } from '@speech-api/types';
import { type Exchange, responseOf } from '../exchange.ts';
import { operations } from '../specification/operations.ts';
import { mediaTypeOf, operationIdOf } from '../subjects/answer.ts';
import { describeAttempts, isSuccess } from '../subjects/attempts.ts';
import { readAskedAudio } from '../subjects/judged-audio.ts';
import type { JudgeOptions } from './report.ts';

/** The judged parts of the spec, and the gaps. */
export interface Coverage {
  readonly cells: readonly CoverageCell[];
  /** Parts of the spec that no exchange has shown. Empty means full coverage. */
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
  /** Reason why it was not tried, if known. */
  readonly reason?: string;
}

/** Parts of the spec that no exchange shows: a success of each operation, in each media type both ways. */
export function findUncovered(
  exchanges: readonly Exchange[],
  { operations: wanted = [], except = [], notTried = [] }: JudgeOptions,
): readonly Uncovered[] {
  const isJudged = (id: OperationId) => (wanted.length === 0 || wanted.includes(id)) && !except.includes(id);
  const seen = new Set(exchanges.flatMap(shown));
  const gaps: Uncovered[] = [...operations().keys()]
    .filter(isJudged)
    .flatMap((operationId): readonly Uncovered[] => {
      // Without an operation nothing of it can be there; once is enough to say.
      if (!seen.has(operationId)) return [{ operationId, what: 'operation' }];
      const { requestMediaTypes, responseMediaTypes } = operationTable[operationId];
      return [
        ...missing(seen, operationId, 'request-media-type', requestMediaTypes),
        ...missing(seen, operationId, 'response-media-type', responseMediaTypes),
      ];
    });
  return gaps.map((gap) => withReason(gap, notTried, exchanges));
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

/** The parts of the spec that one exchange shows, if it succeeded. */
function shown(exchange: Exchange): readonly string[] {
  if (exchange.kind === 'live') {
    // A server that opens the socket and then says nothing has shown nothing.
    const isAnswered = (exchange.unanswered ?? []).length === 0;
    return exchange.upgrade.response.status === 101 && isAnswered ? [exchange.operationId] : [];
  }
  const { request, response } = exchange;
  const id = operationIdOf(exchange);
  if (id === undefined || !isSuccess(response.status)) return [];
  return [
    id,
    `${id} request-media-type ${mediaTypeOf(request.headers['content-type'])}`,
    `${id} response-media-type ${mediaTypeOf(response.headers['content-type'])}`,
  ];
}

function withReason(
  gap: Uncovered,
  notTried: readonly Uncovered[],
  exchanges: readonly Exchange[],
): Uncovered {
  const statuses = exchanges
    .filter((exchange) => isAttempt(exchange, gap))
    .map((exchange) => responseOf(exchange).status);
  if (statuses.length > 0) return { ...gap, reason: describeAttempts(statuses) };
  const told = notTried.find(
    ({ operationId, what, mediaType }) =>
      operationId === gap.operationId &&
      (what === 'operation' || (what === gap.what && mediaType === gap.mediaType)),
  );
  return told?.reason === undefined ? gap : { ...gap, reason: told.reason };
}

/** True if a call would have covered the gap if it had succeeded. */
function isAttempt(exchange: Exchange, { operationId, what, mediaType }: Uncovered): boolean {
  if (exchange.expectation?.outcome === 'refused' || operationIdOf(exchange) !== operationId) return false;
  if (exchange.kind === 'live' || what === 'operation') return true;
  const { request, response } = exchange;
  if (what === 'request-media-type') return mediaTypeOf(request.headers['content-type']) === mediaType;
  if (isSuccess(response.status) || operationId !== 'createSpeech') return false;
  const asked = readAskedAudio(request.decoded);
  return asked !== undefined && audioMediaTypes[asked.format] === mediaType;
}
