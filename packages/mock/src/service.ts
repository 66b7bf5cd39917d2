import {
  type Call,
  CallLog,
  createLiveReceiver,
  createReceiver,
  type Receiver,
  type RecordedCall,
  type RecordMode,
  Refusal,
  type Service,
  type Visit,
} from '@speech-api/server';
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
   * The recorded part of each call: `settings` are numbers, booleans and words such as `format`; `bodies` is everything that
   * was sent except the key, and the audio of the answers, in memory only. @defaultValue `settings`
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
  /** Forgets the calls, and begins anew with a recording and with what the rules of faults count. */
  clear(): void;
}

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

export function createMockService(options: MockSettings): { service: Service; receiver: Receiver } {
  const receiver = receiverFor(options.lenient ?? false);
  const log = new CallLog(options.onCall, options.record);
  const answerRecorded = options.har === undefined ? undefined : openRecording(options.har, receiver, log);
  const keys = options.keys && new Set(options.keys);
  return {
    service: {
      name: 'mock',
      log,
      exampleKey: options.keys?.[0] ?? 'any-key',
      visit: (call) => visitMock(call, keys, answerRecorded),
      onFailure: options.onFailure ?? ((error) => console.error(error)),
    },
    receiver,
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

function visitMock(
  call: Call,
  keys: ReadonlySet<string> | undefined,
  answerRecorded: AnswerRecorded | undefined,
): Visit {
  const { request, key } = call;
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
    answer(received, record) {
      if (answerRecorded !== undefined && !call.isUpgrade) return answerRecorded(received);
      const answer = handlers[received.operation.id] ?? answerDocumented;
      return answer({ call: received, preferences, record });
    },
  };
}
