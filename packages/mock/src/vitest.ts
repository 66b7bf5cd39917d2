import type { OperationId } from '@speech-api/types';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type Expected, toBeValidRequest, toHaveCalled, toHaveCalledTimes } from './matchers.ts';
import type { MockFetch } from './mock-fetch.ts';
import { type MockOptions, type RunningMock, startMock } from './start-mock.ts';

export { type Expected, toBeValidRequest, toHaveCalled, toHaveCalledTimes } from './matchers.ts';

/** Matchers that this module adds to `expect`. */
export interface SpeechMockMatchers<Result = unknown> {
  /**
   * Asserts that a mock, or a sandbox in this process, was called for an operation, such as `createSpeech`.
   *
   * @param expected values that must have been sent, such as `{ format: 'opus', text: 'Hello.' }`
   */
  toHaveCalled(operationId: OperationId, expected?: Expected): Result;
  /** Asserts that a mock was called exactly `times` times for an operation. */
  toHaveCalledTimes(operationId: OperationId, times: number, expected?: Expected): Result;
  /** Asserts that a call, or every call, conforms to the specification. */
  toBeValidRequest(): Result;
}

declare global {
  // The interface that all versions of vitest extend; its type parameters differ.
  namespace Chai {
    interface Assertion extends SpeechMockMatchers<void> {}
  }
}

expect.extend({ toHaveCalled, toHaveCalledTimes, toBeValidRequest });

/** A mock for the tests of a file; its members exist while the tests run. */
export type MockUnderTest = Omit<RunningMock, 'close'>;

/**
 * One mock for the tests of a file or a `describe`: on its own port, or the one of `createMockFetch` that is given. Each test
 * begins without calls. Unlike `startMock` it records bodies: a test may know what it sent itself.
 *
 * @example
 * const mock = useMock();
 * test('asks for opus', async () => {
 *   await speak(mock.url);
 *   expect(mock).toHaveCalled('createSpeech', { format: 'opus' });
 *   expect(mock).toBeValidRequest();
 * });
 */
export function useMock(mock: MockFetch): MockFetch;
export function useMock(options?: MockOptions): MockUnderTest;
export function useMock(options: MockOptions | MockFetch = {}): MockUnderTest | MockFetch {
  if ('fetch' in options) {
    beforeEach(() => options.clear());
    return options;
  }
  let running: RunningMock | undefined;
  beforeAll(async () => {
    running = await startMock({ record: 'bodies', ...options });
  });
  beforeEach(() => running?.clear());
  afterAll(() => running?.close());
  const mock = (): RunningMock => {
    if (running === undefined)
      throw new Error('The mock runs only while tests run. Use it inside a test or a hook.');
    return running;
  };
  return {
    get url() {
      return mock().url;
    },
    get port() {
      return mock().port;
    },
    get record() {
      return mock().record;
    },
    get calls() {
      return mock().calls;
    },
    clear: () => mock().clear(),
  };
}
