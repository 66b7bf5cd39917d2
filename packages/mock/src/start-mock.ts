import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  checkNode,
  createLiveEndpoint,
  createLiveReceiver,
  createReceiver,
  type Exchange,
  type LiveEndpoint,
  Refusal,
  type Service,
  sendJson,
  sendNothing,
  startServer,
  switchingProtocols,
  type Visit,
} from '@speech-api/server';
import { liveIdleSeconds } from '@speech-api/types';
import { CallLog, type RecordedCall, type RecordMode, violationOf, violationsOf } from './calls.ts';
import {
  createModel,
  createTranscription,
  getModel,
  listModels,
  type OperationHandlers,
  readWallet,
  sendDocumented,
} from './operations/documented.ts';
import { openLiveSession } from './operations/live.ts';
import { createSpeech, streamSpeechWithTimestamps } from './operations/speech.ts';
import { takePreferences } from './prefer.ts';

/** Options of {@link startMock}. */
export interface MockOptions {
  /** 0 for any free port. @defaultValue 0 */
  readonly port?: number;
  /** The address to bind to. @defaultValue `127.0.0.1` */
  readonly host?: string;
  /** The only accepted keys. @defaultValue any key is accepted */
  readonly keys?: readonly string[];
  /** Accepts what the spec's tolerances list instead of refusing it; the log still reports it. @defaultValue false */
  readonly lenient?: boolean;
  /** Origins that may call in addition to the loopback ones; their host names are accepted in `Host` too. */
  readonly allowOrigin?: readonly string[];
  /** Rules by which answers fail, such as `POST /v1/tts status=503 times=2`. @defaultValue no faults */
  readonly faults?: readonly string[];
  /** Seconds that a live socket stays open without a session. @defaultValue 30 */
  readonly liveIdleSeconds?: number;
  /**
   * The recorded part of each request: `settings` are numbers, booleans and words such as `format`; `bodies`
   * is everything that was sent except the key, in memory only. @defaultValue `settings`
   */
  readonly record?: RecordMode;
  /** Receives each call when it is over. */
  readonly onCall?: (call: RecordedCall) => void;
  /** Receives errors of the mock itself. @defaultValue writes to stderr */
  readonly onFailure?: (error: unknown) => void;
}

/** A mock that is listening. */
export interface RunningMock {
  /** The base URL, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Calls since the start or the last `clear`, oldest first; at most the last 10 000. */
  readonly calls: readonly RecordedCall[];
  /** The recorded part of each request. */
  readonly record: RecordMode;
  /** Forgets the calls. */
  clear(): void;
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
  const lenient = options.lenient ?? false;
  const log = new CallLog(options.onCall, options.record);
  const live = createLiveEndpoint({
    receiver: liveReceiverFor(lenient),
    idleSeconds: options.liveIdleSeconds ?? liveIdleSeconds,
    server: name,
  });
  const keys = options.keys && new Set(options.keys);
  const onFailure = options.onFailure ?? ((error) => console.error(error));
  const service: Service = {
    name,
    requestHeaders: ['prefer'],
    answerOwnPage: (exchange) => answerOwnPage(log, exchange),
    visit: (exchange) => visitMock({ log, live, keys }, exchange),
    onFailure,
  };
  const server = await startServer({
    service,
    receiver: receiverFor(lenient),
    port: options.port,
    host: options.host,
    allowOrigin: options.allowOrigin,
    faults: options.faults ?? [],
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

/** Name of the mock in messages. */
const name = 'mock';

/** The schemas of the spec are compiled once per process, because receivers keep nothing of a call. */
const receiverFor = loadOnce((lenient: boolean) => createReceiver({ lenient }));
const liveReceiverFor = loadOnce((lenient: boolean) => createLiveReceiver({ lenient }));

function loadOnce<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const cached = made.get(key) ?? make(key);
    made.set(key, cached);
    return cached;
  };
}

const handlers: OperationHandlers = {
  createSpeech,
  streamSpeechWithTimestamps,
  createTranscription,
  listModels,
  createModel,
  getModel,
  getApiCredit: readWallet,
  getPackage: readWallet,
  openLiveSession,
};

interface MockParts {
  readonly log: CallLog;
  readonly live: LiveEndpoint;
  /** The only keys that are accepted. Any key is accepted if there are none. */
  readonly keys: ReadonlySet<string> | undefined;
}

function visitMock({ log, live, keys }: MockParts, exchange: Exchange): Visit {
  const { request, response, key } = exchange;
  const record = log.open(request, () => statusOf(response));
  response.once('close', () => record.ended());
  const preferences = takePreferences(request);
  return {
    checks: {
      'key-unknown': () => {
        if (keys === undefined || (key !== undefined && keys.has(key))) return;
        const message = 'The API key is not one that this mock was started with.';
        throw new Refusal('key-unknown', { message });
      },
    },
    onReceived(call) {
      record.isFor(call.operation);
      record.received(call, request);
      record.violates(call.tolerated.map((issue) => violationOf(issue, 'tolerated', log.record)));
    },
    answer(call) {
      const answer = handlers[call.operation.id] ?? sendDocumented;
      return answer({ call, exchange, preferences, live, record });
    },
    onRefusal(refusal) {
      // Scripts request `/` to wait for a server: that is neither a call of the interface nor a client's mistake.
      if (pathOf(request) === '/' && request.method === 'GET') return;
      if (exchange.operation !== undefined) record.isFor(exchange.operation);
      record.violates(violationsOf(refusal, log.record));
    },
  };
}

function statusOf(response: ServerResponse): number | undefined {
  return response.headersSent || response.statusCode === switchingProtocols ? response.statusCode : undefined;
}

/** Path of the mock's report of calls. No path of the interface begins like this. */
const callsPath = '/__mock/calls';

/** `GET /__mock/calls` reports the calls, `DELETE` forgets them: for tests that are not written in JavaScript. */
function answerOwnPage(log: CallLog, { request, response, origins }: Exchange): boolean {
  if (pathOf(request) !== callsPath) return false;
  origins.checkHost(request.headersDistinct.host);
  origins.checkOrigin(request.headers.origin);
  if (request.method === 'DELETE') {
    log.clear();
    sendNothing(response);
  } else if (request.method === 'GET') {
    sendJson(response, 200, { invalid: log.invalid, calls: log.calls });
  } else {
    const message = `${callsPath} has GET and DELETE.`;
    sendJson(response, 405, { status: 405, message }, { allow: 'GET, DELETE' });
  }
  return true;
}

function pathOf(request: IncomingMessage): string | undefined {
  return request.url?.split('?')[0];
}
