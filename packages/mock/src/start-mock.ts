import { checkNode } from '@speech-api/program/node-version';
import { startServer } from '@speech-api/server';
import { liveIdleSeconds } from '@speech-api/types';
import { createMockService, liveReceiverFor, type MockCalls, type MockSettings } from './service.ts';

/** Options of {@link startMock}. */
export interface MockOptions extends MockSettings {
  /** 0 for any free port. @defaultValue 0 */
  readonly port?: number;
  /** The address to bind to. @defaultValue `127.0.0.1` */
  readonly host?: string;
  /** Origins that may call in addition to the loopback ones; their host names are accepted in `Host` too. */
  readonly allowOrigin?: readonly string[];
  /** Seconds that a live socket stays open without a session. @defaultValue 30 */
  readonly liveIdleSeconds?: number;
}

/** A mock that is listening. */
export interface RunningMock extends MockCalls {
  /** The base URL, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and cuts calls that are under way. Later calls wait for the same. */
  close(): Promise<void>;
}

/**
 * Starts a mock in this process.
 *
 * @example
 * const mock = await startMock();
 * // ... call mock.url with any key
 * console.log(mock.calls);
 * await mock.close();
 *
 * @throws Error with the code `EADDRINUSE` when the port is in use
 * @throws Error for a fault rule or an origin that is not valid, and for a Node that is too old
 */
export async function startMock(options: MockOptions = {}): Promise<RunningMock> {
  checkNode(import.meta.url);
  const { port, host, allowOrigin, faults = [], lenient = false } = options;
  const { service, receiver } = createMockService(options);
  const { log } = service;
  const idleSeconds = options.liveIdleSeconds ?? liveIdleSeconds;
  const server = await startServer({
    service,
    receiver,
    live: { receiver: liveReceiverFor(lenient), idleSeconds },
    port,
    host,
    allowOrigin,
    faults,
  });
  return {
    ...server,
    record: log.record,
    get calls() {
      return log.calls;
    },
    clear: () => log.clear(),
  };
}
