import type { OperationId } from '@speech-api/types';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { RecordedCall } from './calls.ts';
import { toBeValidRequest, toHaveCalled } from './matchers.ts';
import { type MockOptions, type RunningMock, startMock } from './start-mock.ts';

export { toBeValidRequest, toHaveCalled } from './matchers.ts';

/** What this module adds to `expect`. */
export interface SpeechMockMatchers<Result = unknown> {
  /**
   * Whether a mock was called for an operation, such as `createSpeech`.
   *
   * @param settings those that have to have been sent, such as `{ format: 'opus' }`; never a text
   */
  toHaveCalled(operationId: OperationId, settings?: RecordedCall['settings']): Result;
  /** Whether a call, or every call of a mock, kept the specification. */
  toBeValidRequest(): Result;
}

declare module 'vitest' {
  // The parameters are those of the interface that is added to.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends SpeechMockMatchers<R> {}
}

expect.extend({ toHaveCalled, toBeValidRequest });

/** A mock for the tests of a file; its members are there while they run. */
export type MockUnderTest = Omit<RunningMock, 'close'>;

/**
 * One mock for the tests of a file, or of a `describe`, on a port of its own. Each test begins without calls.
 *
 * @example
 * const mock = useMock();
 * test('asks for opus', async () => {
 *   await speak(mock.url);
 *   expect(mock).toHaveCalled('createSpeech', { format: 'opus' });
 *   expect(mock).toBeValidRequest();
 * });
 */
export function useMock(options: MockOptions = {}): MockUnderTest {
  let running: RunningMock | undefined;
  beforeAll(async () => {
    running = await startMock(options);
  });
  beforeEach(() => running?.clear());
  afterAll(() => running?.close());
  const mock = (): RunningMock => {
    if (running === undefined) throw new Error('The mock runs only while tests do: use it inside of them.');
    return running;
  };
  return {
    get url() {
      return mock().url;
    },
    get port() {
      return mock().port;
    },
    get calls() {
      return mock().calls;
    },
    clear: () => mock().clear(),
  };
}
