import { decode, encode } from '@msgpack/msgpack';
import { isObject, type JsonObject } from '../change/json.ts';
import type { Kind, Mutant, Shown } from '../mutant.ts';
import type { LiveChange, LiveMessage } from '../proxy/carried.ts';
import { schemaOf } from '../specification.ts';
import { audioBreaks, twentieth } from './broken-audio.ts';
import { fieldBreaks } from './broken-fields.ts';
import { withHeader } from './interferences.ts';

const operation = 'openLiveSession';

/** Live sessions whose messages are out of order, unknown, missing or broken. */
export function liveSessions(): Mutant[] {
  return [
    ...fields(),
    ...sessions.map(({ kind = 'live session', words, shown = ['live-session'], rules, live }) => ({
      ...one(words, shown, rules, { live }),
      kind,
    })),
    ...clips(),
    ...upgrades,
  ];
}

const one = (
  words: string,
  topic: Shown,
  rules: readonly string[],
  interference: Mutant['interference'],
): Mutant => ({ id: `${operation}: ${words}`, kind: 'live session', operation, topic, rules, interference });

const read = ({ kind, payload }: LiveMessage): JsonObject => {
  const value: unknown = kind === 'binary' ? decode(payload) : {};
  return isObject(value) ? value : {};
};

const write = (value: unknown): LiveMessage => ({
  kind: 'binary',
  payload: Buffer.from(encode(value, { ignoreUndefined: true })),
});

/** The close frame: what comes after it is seen by nobody. */
const closed = (code: number): LiveMessage => {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return { kind: 'close', payload };
};

/** Each field of the server's messages, broken. */
function fields(): Mutant[] {
  return (['AudioMessage', 'FinishMessage'] as const).flatMap((name) => {
    const schema = schemaOf(name);
    const event = name === 'AudioMessage' ? 'audio' : 'finish';
    return fieldBreaks(schema).map(({ name: words, field, change }) =>
      one(`${event} with ${words}`, ['live-session'], ['live-message-fields', ...(otherRules[field] ?? [])], {
        live: () => brokenMessages(event, change),
      }),
    );
  });
}

/** Breaks `finish`, or all audio but the first piece, which the judge waits for; then nobody waits for what does not come. */
function brokenMessages(event: 'audio' | 'finish', change: (value: unknown) => unknown): LiveChange {
  let pieces = 0;
  return {
    message: (message) => {
      const value = read(message);
      if (value.event !== event) return [message];
      if (event === 'finish') return [write(change(value)), closed(1000)];
      pieces++;
      return pieces === 1 ? [message] : [write(change(value))];
    },
  };
}

/** Rules that speak about one field more closely. */
const otherRules: Readonly<Record<string, readonly string[]>> = {
  event: ['live-frames'],
  reason: ['live-finish-reason'],
};

interface SessionBreak {
  /** @defaultValue 'live session' */
  readonly kind?: Kind;
  readonly words: string;
  readonly shown?: Shown;
  readonly rules: readonly string[];
  readonly live: () => LiveChange;
}

/** Other messages in place of those of one event. */
const inPlaceOf =
  (event: string, change: (message: LiveMessage, value: JsonObject) => readonly LiveMessage[]) => () => ({
    message: (message: LiveMessage) => {
      const value = read(message);
      return value.event === event ? change(message, value) : [message];
    },
  });

const silence = write({ event: 'audio', audio: new Uint8Array([0, 0]) });

const sessions: readonly SessionBreak[] = [
  {
    kind: 'addition',
    words: 'an unknown message',
    rules: ['live-known-messages'],
    live: inPlaceOf('finish', (message) => [write({ event: 'progress', done: 1 }), message]),
  },
  {
    kind: 'addition',
    words: 'a field that nobody knows',
    rules: ['live-known-messages'],
    live: inPlaceOf('finish', (_message, value) => [write({ ...value, characters: 12 })]),
  },
  {
    words: 'a frame of text',
    rules: ['live-frames'],
    live: inPlaceOf('finish', (message) => [
      { kind: 'text', payload: Buffer.from('{"event":"progress"}') },
      message,
    ]),
  },
  {
    words: 'messages in JSON',
    rules: ['live-frames'],
    live: inPlaceOf('finish', (_message, value) => [
      { kind: 'text', payload: Buffer.from(JSON.stringify(value)) },
      closed(1000),
    ]),
  },
  {
    words: 'a frame that is no MessagePack',
    rules: ['live-frames'],
    live: inPlaceOf('finish', (message) => [{ kind: 'binary', payload: Buffer.from([0xc1]) }, message]),
  },
  {
    words: 'a frame that is no map',
    rules: ['live-frames'],
    live: inPlaceOf('finish', (message) => [write(['finish', 'stop']), message]),
  },
  {
    words: 'a message without its event',
    rules: ['live-frames'],
    live: inPlaceOf('finish', (message) => [write({ audio: new Uint8Array([0, 0]) }), message]),
  },
  {
    words: 'two messages in one frame',
    rules: ['live-frames'],
    live: inPlaceOf('finish', (message) => [
      { kind: 'binary', payload: Buffer.concat([silence.payload, message.payload]) },
      closed(1000),
    ]),
  },
  {
    words: 'nothing ever comes, the socket closes',
    rules: ['live-answers'],
    live: () => ({ sent: (message) => (read(message).event === 'flush' ? [closed(1000)] : []) }),
  },
  {
    words: 'text after a flush is not spoken',
    rules: ['live-text-is-spoken'],
    live: () => {
      let hasFlushed = false;
      return {
        sent: (message) => {
          const { event } = read(message);
          if (event === 'flush') hasFlushed = true;
          return hasFlushed && event === 'text' ? [] : [message];
        },
      };
    },
  },
  {
    words: 'finish never comes, the socket closes',
    rules: ['live-finish-comes'],
    live: inPlaceOf('finish', () => [closed(1000)]),
  },
  {
    words: 'finish twice',
    rules: ['live-finish-comes', 'live-starts-with-start'],
    live: inPlaceOf('finish', (message) => [message, message]),
  },
  {
    words: 'audio after finish',
    rules: ['live-starts-with-start'],
    live: inPlaceOf('finish', (message) => [message, silence]),
  },
  {
    words: 'finish before the audio ends',
    rules: ['live-starts-with-start', 'live-finish-after-stop', 'live-finish-comes', 'live-audio-joins'],
    live: () => {
      let done = false;
      return {
        message: (message) => {
          if (read(message).event !== 'audio' || done) return [message];
          done = true;
          return [write({ event: 'finish', reason: 'stop' }), message];
        },
      };
    },
  },
  {
    words: 'finish has a reason that nobody knows',
    rules: ['live-finish-reason'],
    live: inPlaceOf('finish', (_message, value) => [write({ ...value, reason: 'done' })]),
  },
  {
    words: 'finish is an error although everything was spoken',
    rules: ['live-finish-reason', 'success-expected'],
    live: inPlaceOf('finish', (_message, value) => [write({ ...value, reason: 'error' })]),
  },
  {
    words: 'an error in place of finish, and the session goes on',
    rules: ['live-error-ends', 'success-expected'],
    live: inPlaceOf('finish', (message) => [write({ event: 'error', error: 'No.' }), message]),
  },
  {
    words: 'no audio comes',
    shown: ['live-trace'],
    rules: ['audio-not-empty', 'live-audio-joins', 'live-finish-comes'],
    live: inPlaceOf('audio', () => []),
  },
  {
    words: 'an empty piece of audio',
    rules: ['live-audio-joins'],
    live: inPlaceOf('audio', (message) => [write({ event: 'audio', audio: new Uint8Array() }), message]),
  },
  {
    words: 'audio as base64',
    rules: ['live-message-fields'],
    live: inPlaceOf('audio', (_message, { audio }) => [
      write({ event: 'audio', audio: Buffer.from(audio as Uint8Array).toString('base64') }),
    ]),
  },
  {
    words: 'a piece of audio twice',
    rules: ['live-audio-joins', 'audio-decodes'],
    live: () => ({
      message: (message, count) =>
        read(message).event === 'audio' && count === 1 ? [message, message] : [message],
    }),
  },
  {
    words: 'a piece of audio is missing',
    rules: ['live-audio-joins', 'audio-decodes', 'audio-format'],
    live: () => ({
      message: (message, count) => (read(message).event === 'audio' && count === 0 ? [] : [message]),
    }),
  },
  {
    words: 'the last piece of audio is missing',
    rules: ['live-audio-joins', 'audio-ends-whole'],
    live: () => {
      let held: LiveMessage | undefined;
      return {
        message: (message) => {
          if (read(message).event !== 'audio') return [message];
          const before = held;
          held = message;
          return before === undefined ? [] : [before];
        },
      };
    },
  },
  {
    words: 'two pieces of audio in the other order',
    rules: ['live-audio-joins', 'audio-decodes', 'audio-format'],
    live: () => {
      let held: LiveMessage | undefined;
      let pieces = 0;
      return {
        message: (message) => {
          if (read(message).event !== 'audio') return [message];
          pieces++;
          if (pieces === 1) {
            held = message;
            return [];
          }
          const before = held;
          held = undefined;
          return before === undefined ? [message] : [message, before];
        },
      };
    },
  },
  {
    words: 'another format than that of start',
    rules: ['audio-format', 'live-audio-joins'],
    live: () => ({
      sent: (message) => {
        const value = read(message);
        if (value.event !== 'start' || !isObject(value.request)) return [message];
        return [write({ ...value, request: { ...value.request, format: 'mp3', sample_rate: null } })];
      },
    }),
  },
  {
    words: 'another rate than that of start',
    shown: ['live-trace'],
    rules: ['audio-sample-rate'],
    live: () => ({
      sent: (message) => {
        const value = read(message);
        if (value.event !== 'start' || !isObject(value.request)) return [message];
        return [write({ ...value, request: { ...value.request, sample_rate: 24_000 } })];
      },
    }),
  },
  {
    words: 'text before start is accepted',
    shown: ['live-text-before-start'],
    rules: ['refusal-expected'],
    live: () => ({
      sent: (message) =>
        read(message).event === 'text'
          ? [
              write({ event: 'start', request: { text: '', format: 'opus' } }),
              message,
              write({ event: 'stop' }),
            ]
          : [message],
      message: (message) => (read(message).event === 'finish' ? [message, closed(1000)] : [message]),
    }),
  },
  {
    words: 'an unknown format is accepted',
    shown: ['live-request-refused'],
    rules: ['refusal-expected'],
    live: () => ({
      sent: (message) =>
        read(message).event === 'start'
          ? [
              write({ event: 'start', request: { text: 'Good morning.', format: 'opus' } }),
              write({ event: 'stop' }),
            ]
          : [message],
      message: (message) => (read(message).event === 'finish' ? [message, closed(1000)] : [message]),
    }),
  },
  {
    words: 'a refusal closes with 1000',
    shown: ['live-text-before-start'],
    rules: ['live-close-code'],
    live: () => ({ message: (message) => (message.kind === 'close' ? [closed(1000)] : [message]) }),
  },
  {
    words: 'audio after an error',
    shown: ['live-text-before-start'],
    rules: ['live-error-ends', 'live-starts-with-start'],
    live: inPlaceOf('error', (message) => [message, silence]),
  },
];

/** The audio of a session broken as a whole: held back until finish, and sent as one piece. */
function clips(): Mutant[] {
  return audioBreaks
    .filter(({ format, words }) => format === 'wav' && words !== twentieth)
    .map(({ words, rules, change }) =>
      one(`wav of a session ${words}`, ['live-trace'], [...rules, 'live-audio-joins'], {
        live: () => {
          const pieces: Buffer[] = [];
          return {
            message: (message) => {
              const value = read(message);
              if (value.event === 'audio' && value.audio instanceof Uint8Array) {
                pieces.push(Buffer.from(value.audio));
                return [];
              }
              if (value.event !== 'finish') return [message];
              const whole = Buffer.concat(pieces);
              // A session in another format stays as it is.
              const isWav = whole.subarray(0, 4).toString('latin1') === 'RIFF';
              return [write({ event: 'audio', audio: isWav ? change(whole) : whole }), message];
            },
          };
        },
      }),
    );
}

const upgrades: readonly Mutant[] = [
  one('the upgrade answers another key', ['live-session'], ['live-upgrade'], {
    answer: (answer) =>
      answer.status === 101
        ? withHeader(answer, 'sec-websocket-accept', 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
        : undefined,
  }),
  one('the upgrade does not answer the key', ['live-session'], ['live-upgrade'], {
    answer: (answer) =>
      answer.status === 101 ? withHeader(answer, 'sec-websocket-accept', undefined) : undefined,
  }),
  one('the upgrade does not name what to', ['live-session'], ['live-upgrade'], {
    answer: (answer) => (answer.status === 101 ? withHeader(answer, 'upgrade', undefined) : undefined),
  }),
  one(
    'the upgrade is answered with 200',
    ['live-session'],
    ['success-status', 'success-expected', 'live-upgrade'],
    {
      answer: (answer) =>
        answer.status === 101
          ? { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('yes') }
          : undefined,
    },
  ),
  one('the upgrade is refused', ['live-session'], ['success-expected'], {
    answer: (answer) =>
      answer.status === 101
        ? {
            status: 400,
            headers: { 'content-type': 'application/json' },
            body: Buffer.from('{"status":400,"message":"No."}'),
          }
        : undefined,
  }),
];
