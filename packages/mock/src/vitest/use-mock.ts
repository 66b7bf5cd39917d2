import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type MockOptions, type RunningMock, startMock } from '../start-mock.ts';

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
