import type { RecordedCall, Violation } from '../calls/recorded-call.ts';

/** A call for a person: one line, and one for each violation. */
export function callLines({ operationId, method, path, status, violations }: RecordedCall): string[] {
  const outcome = status === undefined ? '(left)' : String(status);
  const name = operationId === undefined ? '' : ` ${operationId}`;
  return [`${method} ${path} ${outcome}${name}`, ...violations.map((violation) => `  ${wordsOf(violation)}`)];
}

function wordsOf({ rule, loc, message }: Violation): string {
  return `${rule}${loc.length > 0 ? ` at ${loc.join('.')}` : ''}: ${message}`;
}
