import { isDeepStrictEqual } from 'node:util';
import { isBytes, isSetting, propertiesOf, type RecordedCall, wordsOf } from '@speech-api/server';
import { asObject, asText } from '@speech-api/spec/read';
import { type OperationId, operationTable } from '@speech-api/types';
import { specification, specOperation } from './documented-answer.ts';
import type { RunningMock } from './start-mock.ts';

/** Result of a matcher, for test runners such as vitest and jest; elsewhere, assert `pass` yourself. */
export interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * Values that must have been sent, by the name of a field, query parameter, path parameter or header. Objects
 * may omit fields; values may be matchers of a test runner, such as `expect.stringContaining('tide')`.
 */
export type Expected = Readonly<Record<string, unknown>>;

/**
 * Checks that the operation was called, with these values if any are given.
 *
 * @throws Error for a name that the operation does not have, and for a value that the mock did not record
 */
export function toHaveCalled(received: unknown, operationId: OperationId, expected: Expected = {}): Verdict {
  const { matching, calls } = callsOf(received, 'toHaveCalled', operationId, expected);
  const what = wordsFor(operationId, expected);
  const pass = matching.length > 0;
  return {
    pass,
    message: () => (pass ? `${what} was called.` : `${what} was not called. What came in:\n${listOf(calls)}`),
  };
}

/**
 * Checks that the operation was called exactly this number of times, with these values if any are given.
 *
 * @throws Error as `toHaveCalled`
 */
export function toHaveCalledTimes(
  received: unknown,
  operationId: OperationId,
  times: number,
  expected: Expected = {},
): Verdict {
  const { matching, calls } = callsOf(received, 'toHaveCalledTimes', operationId, expected);
  const counted = `${wordsFor(operationId, expected)} was called ${matching.length} times`;
  const pass = matching.length === times;
  return {
    pass,
    message: () => (pass ? `${counted}.` : `${counted}, not ${times}. What came in:\n${listOf(calls)}`),
  };
}

/** Checks that a call, or each call of a mock or a sandbox, conforms to the specification. */
export function toBeValidRequest(received: unknown): Verdict {
  const calls = isCall(received) ? [received] : mockOf(received, 'toBeValidRequest').calls;
  const invalid = calls.filter(({ valid }) => !valid);
  return {
    pass: calls.length > 0 && invalid.length === 0,
    message: () => {
      if (calls.length === 0) return 'Nothing was called, so no request can be valid.';
      if (invalid.length === 0) return 'Every request kept the specification.';
      return `The specification was broken:\n${listOf(invalid)}`;
    },
  };
}

function callsOf(
  received: unknown,
  matcher: string,
  operationId: OperationId,
  expected: Expected,
): { readonly matching: readonly RecordedCall[]; readonly calls: readonly RecordedCall[] } {
  if (!Object.hasOwn(operationTable, operationId)) {
    const names = Object.keys(operationTable).join(', ');
    throw new Error(`${matcher}: unknown operation ${operationId}; use one of ${names}.`);
  }
  const { calls, record } = mockOf(received, matcher);
  const known = namesOf(operationId);
  for (const [name, value] of Object.entries(expected)) {
    if (!known.has(name))
      throw new Error(`${matcher}: ${operationId} has no ${name}; it has ${[...known].join(', ')}.`);
    if (record !== 'bodies' && !isSetting(name, value)) throw notRecorded(matcher, name);
  }
  const ofOperation = calls.filter((call) => call.operationId === operationId);
  return { calls, matching: ofOperation.filter((call) => isMatch(call, expected, matcher)) };
}

function notRecorded(matcher: string, name: string): Error {
  const fix = "Start the mock or the sandbox with record: 'bodies' to compare it";
  return new Error(`${matcher}: this value of ${name} is not recorded. ${fix}.`);
}

function isMatch({ sent, settings, valid }: RecordedCall, expected: Expected, matcher: string): boolean {
  return Object.entries(expected).every(([name, value]) => {
    if (sent === undefined) {
      if (valid && !isSetting(name, value)) throw notRecorded(matcher, name);
      return isDeepStrictEqual(settings[name], value);
    }
    const places = [sent.body, sent.query, sent.path, sent.headers] as const;
    return places.some((place) => isEqual(fieldOf(place, name), value));
  });
}

function fieldOf(place: unknown, name: string): unknown {
  if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return undefined;
  return (place as Record<string, unknown>)[name];
}

/** Objects may have more fields than are expected. */
function isEqual(given: unknown, expected: unknown): boolean {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(given);
  if (isBytes(expected)) {
    return isBytes(given) && Buffer.compare(given, expected) === 0;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(given) || given.length !== expected.length) return false;
    return expected.every((item, index) => isEqual(given[index], item));
  }
  if (typeof expected !== 'object' || expected === null) return Object.is(given, expected);
  return Object.entries(expected).every(([name, value]) => isEqual(fieldOf(given, name), value));
}

function isAsymmetric(value: unknown): value is { asymmetricMatch(given: unknown): boolean } {
  const { asymmetricMatch } = (value ?? {}) as { readonly asymmetricMatch?: unknown };
  return typeof asymmetricMatch === 'function';
}

function namesOf(operationId: OperationId): ReadonlySet<string> {
  const { parameters, requestBody } = specOperation(operationId);
  const body = operationId === 'openLiveSession' ? specOperation('createSpeech').requestBody : requestBody;
  const names = parameters.map(({ name }) => asText(name).toLowerCase());
  const schemas = Object.values(asObject(body?.content)).map((content) => asObject(asObject(content).schema));
  return new Set([...names, ...schemas.flatMap((schema) => [...propertiesOf(specification, schema).keys()])]);
}

function wordsFor(operationId: OperationId, expected: Expected): string {
  return Object.keys(expected).length === 0 ? operationId : `${operationId} with ${shown(expected)}`;
}

/** As JSON, bytes by their number only. */
function shown(value: unknown): string {
  const text = JSON.stringify(value, (_, each: unknown) => (isBytes(each) ? `<${each.length} bytes>` : each));
  return text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text;
}

function listOf(calls: readonly RecordedCall[]): string {
  if (calls.length === 0) return '  nothing';
  return calls
    .flatMap(({ method, path, operationId, settings, sent, violations }) => [
      `  ${method} ${path} (${operationId ?? 'no operation'}) ${shown(sent?.body ?? settings)}`,
      ...violations.map((violation) => `    ${wordsOf(violation)}`),
    ])
    .join('\n');
}

function mockOf(received: unknown, matcher: string): Pick<RunningMock, 'calls' | 'record'> {
  const { calls, record = 'settings' } = (received ?? {}) as Partial<RunningMock>;
  if (Array.isArray(calls)) return { calls, record };
  throw new Error(`${matcher} takes a mock or a sandbox: expect(mock).${matcher}(...).`);
}

function isCall(received: unknown): received is RecordedCall {
  return typeof received === 'object' && received !== null && 'violations' in received;
}
