import type { OperationId } from '@speech-api/types';
import { type Exchange, responseOf } from '../exchange.ts';
import { keyRefusals } from '../specification/rules.ts';
import { isSuccess, operationIdOf } from '../subjects/answer.ts';
import type { JudgedMember } from '../subjects/exchange-group.ts';

/** Reason why some calls could not be judged, although no fault of the server is known. */
export interface Circumstance {
  readonly reason: CircumstanceReason;
  /** Number of calls. */
  readonly calls: number;
  /** The name of the first of these calls. */
  readonly exchange: string;
}

export type CircumstanceReason = keyof typeof circumstanceWords;

/** Each reason in words, and what would help. */
export const circumstanceWords = {
  'no-credit': 'the account has no credit (402). Use a key with credit',
  'no-permission': 'the key has no permission (403). Use a key that may make these calls',
  'rate-limit': 'the server limits the rate of calls (429). Set --calls-per-minute to what it allows',
  'no-room': 'the server has no room (503). Run it again when the server is less busy',
  gateway: 'a gateway answers in place of the server (502, 504). Run it again when the server is there',
  'no-answer': 'the connection ended without an answer. Run it again, and look into the log of the server',
  late: 'no whole answer came in time. Give a longer --timeout',
  'no-success':
    'no call of the operation succeeded, and these answers say nothing about it (402, 403, 429, 502, 503, 504). Record a call that succeeds',
} as const;

/** Circumstances by the status that shows them. */
export const circumstanceOf: ReadonlyMap<number, CircumstanceReason> = new Map([
  [402, 'no-credit'],
  [403, 'no-permission'],
  [429, 'rate-limit'],
  [503, 'no-room'],
  [502, 'gateway'],
  [504, 'gateway'],
]);

/** Exchanges whose answer shows a circumstance, so that they prove nothing else. */
export function circumstancesOf(exchanges: readonly Exchange[]): ReadonlyMap<Exchange, CircumstanceReason> {
  const succeeded = new Set(exchanges.filter(isExpectedSuccess).map(operationIdOf));
  return new Map(
    exchanges.flatMap((exchange) => {
      const reason = reasonOf(exchange, (operation) => succeeded.has(operation));
      return reason === undefined ? [] : [[exchange, reason] as const];
    }),
  );
}

function reasonOf(
  exchange: Exchange,
  hasSucceeded: (operationId: OperationId | undefined) => boolean,
): CircumstanceReason | undefined {
  const { expectation } = exchange;
  // An exchange without an expectation, such as a recorded call, is accepted as it is.
  if (expectation === undefined) return undefined;
  const { status, ended } = responseOf(exchange);
  if (ended === 'deadline') return 'late';
  if (status === 0) return 'no-answer';
  if (status === 403 && expectation.outcome === 'refused') {
    const { refusals } = expectation;
    const isDue = refusals.includes('forbidden') || refusals.some((id) => keyRefusals.includes(id));
    // A server may refuse anything with 403. If it also refuses correct calls, the reason is the key.
    if (isDue || hasSucceeded(operationIdOf(exchange))) return undefined;
  }
  return circumstanceOf.get(status);
}

/**
 * Operations without a success, and calls that were refused without an expectation, as in recordings: one entry each, with the
 * number of calls.
 */
export function withoutSuccess(members: readonly JudgedMember[]): readonly Circumstance[] {
  return [...Map.groupBy(members, ({ operationId }) => operationId)].flatMap(([operationId, group]) => {
    if (operationId === undefined || group.some(({ status }) => isSuccess(status))) return [];
    const turnedAway = group.filter(
      ({ exchange, status }) => exchange.expectation === undefined && circumstanceOf.has(status),
    );
    return count(
      'no-success',
      turnedAway.map(({ exchange }) => exchange),
    );
  });
}

/** Each reason once, with the number of its calls. */
export function countCircumstances(
  reasons: ReadonlyMap<Exchange, CircumstanceReason>,
): readonly Circumstance[] {
  return [...Map.groupBy([...reasons], ([, reason]) => reason)].flatMap(([reason, all]) =>
    count(
      reason,
      all.map(([exchange]) => exchange),
    ),
  );
}

function count(reason: CircumstanceReason, exchanges: readonly Exchange[]): readonly Circumstance[] {
  const [first] = exchanges;
  if (first === undefined) return [];
  return [{ reason, calls: exchanges.length, exchange: first.name }];
}

function isExpectedSuccess(exchange: Exchange): boolean {
  const { status } = responseOf(exchange);
  return exchange.expectation?.outcome === 'success' && status < 300 && status > 0;
}
