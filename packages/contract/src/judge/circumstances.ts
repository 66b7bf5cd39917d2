import type { OperationId } from '@speech-api/types';
import { type Exchange, responseOf } from '../exchange.ts';
import { hideKey, keyOf } from '../key.ts';
import { keyRefusals } from '../specification/rules.ts';
import { operationIdOf } from '../subjects/answer.ts';

/** Reason why some calls could not be judged, although no fault of the server is known. */
export interface Circumstance {
  readonly reason: CircumstanceReason;
  /** Number of calls. */
  readonly calls: number;
  /** The name of the first of them. */
  readonly exchange: string;
}

export type CircumstanceReason = keyof typeof circumstanceWords;

/** Each reason in words, and what would help. */
export const circumstanceWords = {
  'no-credit': 'the account has no credit (402). Use a key with credit',
  'no-permission': 'the key has no permission (403). Use a key that may make these calls',
  'rate-limit': 'the server limits the rate of calls (429). Set --calls-per-minute to what it allows',
  'no-room': 'the server has no room (503). Run it again when the server is less busy',
  late: 'no whole answer came in time. Give a longer --timeout',
} as const;

const byStatus: ReadonlyMap<number, CircumstanceReason> = new Map([
  [402, 'no-credit'],
  [403, 'no-permission'],
  [429, 'rate-limit'],
  [503, 'no-room'],
]);

/** The exchanges that show a circumstance in place of what they were sent for. */
export function circumstancesOf(exchanges: readonly Exchange[]): ReadonlyMap<Exchange, CircumstanceReason> {
  const succeeded = new Set(exchanges.filter(isSuccess).map(operationIdOf));
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
  if (status === 403 && expectation.outcome === 'refused') {
    const { refusals } = expectation;
    const isDue = refusals.includes('forbidden') || refusals.some((id) => keyRefusals.includes(id));
    // A server may refuse whatever it likes with 403. Where it also refuses good calls so, it is about the key.
    if (isDue || hasSucceeded(operationIdOf(exchange))) return undefined;
  }
  return byStatus.get(status);
}

/** Each reason once, with the number of its calls. */
export function countCircumstances(
  reasons: ReadonlyMap<Exchange, CircumstanceReason>,
): readonly Circumstance[] {
  return [...Map.groupBy([...reasons], ([, reason]) => reason)].map(([reason, all]) => {
    const first = all[0]?.[0];
    return { reason, calls: all.length, exchange: first ? hideKey(first.name, keyOf(first)) : '' };
  });
}

function isSuccess(exchange: Exchange): boolean {
  const { status } = responseOf(exchange);
  return exchange.expectation?.outcome === 'success' && status < 300 && status > 0;
}
