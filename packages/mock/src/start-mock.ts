import { createServer, type IncomingMessage } from 'node:http';
import {
  answerBrokenRequest,
  createLiveReceiver,
  createOriginPolicy,
  createReceiver,
  FaultyResponse,
  httpServerOptions,
  listen,
  readRule,
  responseTo,
  stalledMilliseconds,
} from '@speech-api/server';
import { createCallLog } from './calls/call-log.ts';
import type { RecordedCall } from './calls/recorded-call.ts';
import { loadOnce } from './load-once.ts';
import { handleRequest, type RequestExtras } from './server/handle-request.ts';
import type { MockContext } from './server/mock-context.ts';

/** How to start a mock. */
export interface MockOptions {
  /** 0 for any free port. @defaultValue 0 */
  readonly port?: number;
  /** The address to bind to. @defaultValue `127.0.0.1` */
  readonly host?: string;
  /** The only keys that are good. @defaultValue any key is */
  readonly keys?: readonly string[];
  /** Accepts what the spec's tolerances list instead of refusing it; the log tells of it all the same. @defaultValue false */
  readonly lenient?: boolean;
  /** Origins that may call beside the loopback ones; their host names are accepted in `Host` too. */
  readonly allowOrigin?: readonly string[];
  /** Rules by which answers go wrong, such as `POST /v1/tts status=503 times=2`. @defaultValue nothing goes wrong */
  readonly faults?: readonly string[];
  /** Seconds that a live socket stays open without a session. @defaultValue 30 */
  readonly liveIdleSeconds?: number;
  /** Told of each call when it is over. */
  readonly onCall?: (call: RecordedCall) => void;
  /** Told why the mock itself failed. @defaultValue writes to stderr */
  readonly onFailure?: (error: unknown) => void;
}

/** A mock that is listening. */
export interface RunningMock {
  /** The base URL, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** What came in since the start or the last `clear`, the oldest first; at most the last 10 000. */
  readonly calls: readonly RecordedCall[];
  /** Forgets the calls. */
  clear(): void;
  /** Stops listening and cuts what is still under way. Later calls wait for the same. */
  close(): Promise<void>;
}

/** What is still under way after this is cut. */
const graceMilliseconds = 250;

const defaultLiveIdleSeconds = 30;

/**
 * Starts a mock in this process.
 *
 * @example
 * const mock = await startMock();
 * // ... call mock.url with any key
 * console.log(mock.calls);
 * await mock.close();
 *
 * @throws Error with the code `EADDRINUSE` when the port is taken; for a fault rule or an origin that is not valid
 */
export async function startMock(options: MockOptions = {}): Promise<RunningMock> {
  const host = options.host ?? '127.0.0.1';
  const closing = new AbortController();
  const { receiver, live } = receiversFor(options.lenient ?? false);
  const log = createCallLog(options.onCall);
  const mock: MockContext = {
    receiver,
    live,
    origins: createOriginPolicy({ host, allowOrigin: options.allowOrigin ?? [] }),
    keys: options.keys && new Set(options.keys),
    faults: (options.faults ?? []).map(readRule),
    log,
    liveIdleSeconds: options.liveIdleSeconds ?? defaultLiveIdleSeconds,
    onFailure: options.onFailure ?? ((error) => console.error(error)),
    closing: closing.signal,
  };
  const server = createServer({ ...httpServerOptions, ServerResponse: FaultyResponse });
  server.timeout = stalledMilliseconds;
  const handle = (...call: [IncomingMessage, FaultyResponse, RequestExtras?]): void => {
    void handleRequest(mock, ...call);
  };
  server.on('request', (request, response) => handle(request, response));
  // The head alone can refuse a large upload; only a request that passes is told to go on.
  server.on('checkContinue', (request, response) => {
    handle(request, response, { beforeBody: () => response.writeContinue() });
  });
  server.on('upgrade', (request, socket, head) => {
    const upgrade = { request, socket, head };
    handle(request, responseTo(upgrade), { upgrade });
  });
  server.on('clientError', answerBrokenRequest);
  const address = await listen(server, options.port ?? 0, host);

  const shutDown = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    closing.abort();
    server.closeIdleConnections();
    const timer = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
    await closed;
    clearTimeout(timer);
  };
  let closed: Promise<void> | undefined;
  return {
    ...address,
    get calls() {
      return log.calls;
    },
    clear: () => log.clear(),
    close() {
      closed ??= shutDown();
      return closed;
    },
  };
}

/** The schemas of the spec are compiled once a process, however many mocks there are: receivers keep nothing of a call. */
const receiversFor = loadOnce((lenient: boolean) => ({
  receiver: createReceiver({ lenient }),
  live: createLiveReceiver({ lenient }),
}));
