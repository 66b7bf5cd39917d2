import { type OperationId, operationTable } from '@speech-api/types';
import type { RecordedCall, Violation } from './calls.ts';
import type { RunningMock } from './start-mock.ts';

/** What a matcher says. */
interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Whether the operation was called, with these settings where some are given. */
export function toHaveCalled(
  received: unknown,
  operationId: OperationId,
  settings: RecordedCall['settings'] = {},
): Verdict {
  if (!Object.hasOwn(operationTable, operationId)) {
    const names = Object.keys(operationTable).join(', ');
    throw new Error(`toHaveCalled: there is no operation ${operationId}; there are ${names}.`);
  }
  const calls = mockOf(received, 'toHaveCalled').calls;
  const found = calls.some(
    (call) =>
      call.operationId === operationId &&
      Object.entries(settings).every(([name, value]) => call.settings[name] === value),
  );
  const what = `${operationId}${Object.keys(settings).length > 0 ? ` with ${JSON.stringify(settings)}` : ''}`;
  return {
    pass: found,
    message: () =>
      found ? `${what} was called.` : `${what} was not called. What came in:\n${listOf(calls)}`,
  };
}

/** Whether a call, or each call of a mock, kept the specification. */
export function toBeValidRequest(received: unknown): Verdict {
  const calls = isCall(received) ? [received] : mockOf(received, 'toBeValidRequest').calls;
  const invalid = calls.filter(({ valid }) => !valid);
  return {
    pass: calls.length > 0 && invalid.length === 0,
    message: () => {
      if (calls.length === 0) return 'Nothing was called, so there is no request to be valid.';
      if (invalid.length === 0) return 'Every request kept the specification.';
      return `The specification was broken:\n${listOf(invalid)}`;
    },
  };
}

function listOf(calls: readonly RecordedCall[]): string {
  if (calls.length === 0) return '  nothing';
  return calls
    .flatMap(({ method, path, operationId, settings, violations }) => [
      `  ${method} ${path} (${operationId ?? 'no operation'}) ${JSON.stringify(settings)}`,
      ...violations.map((violation) => `    ${lineOf(violation)}`),
    ])
    .join('\n');
}

function lineOf({ rule, loc, message }: Violation): string {
  return `${rule}${loc.length > 0 ? ` at ${loc.join('.')}` : ''}: ${message}`;
}

function mockOf(received: unknown, matcher: string): Pick<RunningMock, 'calls'> {
  const { calls } = (received ?? {}) as Partial<RunningMock>;
  if (Array.isArray(calls)) return { calls };
  throw new Error(`${matcher} takes a mock: expect(mock).${matcher}(...).`);
}

function isCall(received: unknown): received is RecordedCall {
  return typeof received === 'object' && received !== null && 'violations' in received;
}
