import type { RefusalExpected } from '../exchange/expectation.ts';
import { keyRefusals, refusalEntries } from '../specification/refusals.ts';

/** The statuses that may answer, as in `401 or 403`. */
export function statusesOf(expectation: RefusalExpected): string {
  return [...new Set(refusalEntries(expectation.refusals).map(({ status }) => status))].join(' or ');
}

/** Nothing but the key is wrong. */
export function isAboutTheKey({ refusals }: RefusalExpected): boolean {
  return refusals.length > 0 && refusals.every((id) => keyRefusals.includes(id));
}
