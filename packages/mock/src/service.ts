import {
  type Answer,
  bytesAnswer,
  type Call,
  createLiveReceiver,
  createReceiver,
  emptyAnswer,
  jsonAnswer,
  type Receiver,
  Refusal,
  type Service,
  type Visit,
} from '@speech-api/server';
import { CallLog, type RecordedCall, type RecordMode, violationOf, violationsOf } from './calls.ts';
import {
  answerDocumented,
  createModel,
  createTranscription,
  getModel,
  listModels,
  type OperationHandlers,
  readWallet,
} from './operations/documented.ts';
import { openLiveSession } from './operations/live.ts';
import { createSpeech, streamSpeechWithTimestamps } from './operations/speech.ts';
import { takePreferences } from './prefer.ts';
import { type AnswerRecorded, openRecording } from './recording.ts';

/** Options of every mock, with a port or without one. */
export interface MockSettings {
  /** The only accepted keys. @defaultValue any key is accepted */
  readonly keys?: readonly string[];
  /** Accepts what the spec's tolerances list instead of refusing it; the log still reports it. @defaultValue false */
  readonly lenient?: boolean;
  /** Rules by which answers fail, such as `POST /v1/tts status=503 times=2`. @defaultValue no faults */
  readonly faults?: readonly string[];
  /**
   * The recorded part of each request: `settings` are numbers, booleans and words such as `format`; `bodies`
   * is everything that was sent except the key, in memory only. @defaultValue `settings`
   */
  readonly record?: RecordMode;
  /**
   * A HAR file, such as `speech-contract record` or a browser writes: calls are answered as they were recorded, and others
   * with 404. @defaultValue the answers of the specification
   */
  readonly har?: string;
  /** Receives each call when it is over. */
  readonly onCall?: (call: RecordedCall) => void;
  /** Receives errors of the mock itself. @defaultValue writes to stderr */
  readonly onFailure?: (error: unknown) => void;
}

/** The calls of a mock. */
export interface MockCalls {
  /** Calls since the start or the last `clear`, oldest first; at most the last 10 000. */
  readonly calls: readonly RecordedCall[];
  /** The recorded part of each request. */
  readonly record: RecordMode;
  /** Forgets the calls. */
  clear(): void;
}

/** Name of the mock in messages. */
const name = 'mock';

/** The schemas of the spec are compiled once per process, because receivers keep nothing of a call. */
const receiverFor = loadOnce((lenient: boolean) => createReceiver({ lenient }));
export const liveReceiverFor = loadOnce((lenient: boolean) => createLiveReceiver({ lenient }));

function loadOnce<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    const cached = values.get(key) ?? make(key);
    values.set(key, cached);
    return cached;
  };
}

/** The service of one mock, its receiver, and the log of the calls that it receives. */
export function createMockService(options: MockSettings): {
  readonly service: Service;
  readonly receiver: Receiver;
  readonly log: CallLog;
} {
  const receiver = receiverFor(options.lenient ?? false);
  const answerRecorded = options.har === undefined ? undefined : openRecording(options.har, receiver);
  const log = new CallLog(options.onCall, options.record);
  const keys = options.keys && new Set(options.keys);
  return {
    service: {
      name,
      answerOwnPage: (call) => answerOwnPage(log, call),
      visit: (call) => visitMock({ log, keys, answerRecorded }, call),
      onFailure: options.onFailure ?? ((error) => console.error(error)),
    },
    receiver,
    log,
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
  readonly keys: ReadonlySet<string> | undefined;
  readonly answerRecorded: AnswerRecorded | undefined;
}

function visitMock({ log, keys, answerRecorded }: MockParts, call: Call): Visit {
  const { request, key } = call;
  const record = log.open(request);
  const { preferences, url } = takePreferences(request);
  return {
    url,
    checks: {
      'key-unknown': () => {
        if (keys === undefined || (key !== undefined && keys.has(key))) return;
        const message = 'The API key is not one that this mock was started with.';
        throw new Refusal('key-unknown', { message });
      },
    },
    onReceived(received) {
      record.isFor(received.operation);
      record.received(received, request);
      record.violates(received.tolerated.map((issue) => violationOf(issue, 'tolerated', log.record)));
    },
    answer(received) {
      if (answerRecorded !== undefined && !call.isUpgrade) return answerRecorded(received);
      const answer = handlers[received.operation.id] ?? answerDocumented;
      return answer({ call: received, preferences, record });
    },
    onRefusal(refusal) {
      if (call.operation !== undefined) record.isFor(call.operation);
      record.violates(violationsOf(refusal, log.record));
    },
    onAnswer({ status }) {
      record.status = status;
    },
    onEnd: () => record.ended(),
  };
}

/** Path of the mock's report of calls. No path of the interface begins like this. */
const callsPath = '/__mock/calls';
const greeting = `The mock of the speech API listens here. Its calls: ${callsPath}\n`;

/**
 * `GET /` says that the mock is ready. `GET /__mock/calls` reports the calls, `DELETE` forgets them: for tests that are not
 * written in JavaScript.
 */
function answerOwnPage(log: CallLog, call: Call): Answer | undefined {
  const { path, request } = call;
  if (path !== '/' && path !== callsPath) return undefined;
  call.checkHost();
  call.checkOrigin();
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (path === '/' && isRead) {
    return bytesAnswer(200, Buffer.from(greeting), { 'content-type': 'text/plain; charset=utf-8' });
  }
  if (path === '/') return undefined;
  if (isRead) return jsonAnswer(200, log.report());
  if (request.method !== 'DELETE') {
    const message = `${callsPath} has GET and DELETE.`;
    return jsonAnswer(405, { status: 405, message }, { allow: 'GET, DELETE' });
  }
  log.clear();
  return emptyAnswer();
}
