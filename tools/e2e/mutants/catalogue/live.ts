import { decode, encode } from '@msgpack/msgpack';
import type { AnswerChange, LiveChange, LiveMessage } from '../carried.ts';
import { header, isObject, type JsonObject, onStatus, text } from '../change.ts';
import { type Mutant, type Row, type Rows, table } from '../mutant.ts';
import { messageOf } from '../specification.ts';
import { fieldBreaks } from './fields.ts';

const operation = 'openLiveSession';

const read = ({ kind, payload }: LiveMessage): JsonObject => {
  const value: unknown = kind === 'binary' ? decode(payload) : {};
  return isObject(value) ? value : {};
};

export const write = (value: unknown): LiveMessage => ({
  kind: 'binary',
  payload: Buffer.from(encode(value, { ignoreUndefined: true })),
});

const written = (body: string): LiveMessage => ({ kind: 'text', payload: Buffer.from(body) });

/** The close frame: what comes after it is seen by nobody. */
const closed = (code: number): LiveMessage => {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return { kind: 'close', payload };
};

type Change = (message: LiveMessage, value: JsonObject, count: number) => readonly LiveMessage[];

/** Other messages in place of those of one event; `count` is how many of them came before in this session. */
export function each(from: keyof LiveChange, event: string, change: Change): { live: () => LiveChange } {
  return {
    live: () => {
      let count = 0;
      return {
        [from]: (message: LiveMessage) => {
          const value = read(message);
          return value.event === event ? change(message, value, count++) : [message];
        },
      };
    },
  };
}

const onFinish = (change: Change) => each('message', 'finish', change);
const onAudio = (change: Change) => each('message', 'audio', change);

/** Rules that speak about one field more closely. */
const otherRules: Readonly<Record<string, readonly string[]>> = {
  event: ['live-frames'],
  reason: ['live-finish-reason'],
};

/** Each field of the server's messages, broken: of `finish`, or of all audio but the first piece, which the judge waits for. */
function fields(): Rows {
  const rows = (
    name: 'AudioMessage' | 'FinishMessage',
    make: (change: (value: unknown) => unknown) => Row[1],
  ) =>
    fieldBreaks(messageOf(name)).map(({ words, field, change }): [string, Row] => [
      `${name} with ${words}`,
      [['live-message-fields', ...(otherRules[field] ?? [])], make(change)],
    ]);
  return Object.fromEntries([
    ...rows('FinishMessage', (change) => onFinish((_message, value) => [write(change(value)), closed(1000)])),
    ...rows('AudioMessage', (change) =>
      onAudio((message, value, count) => [count === 0 ? message : write(change(value))]),
    ),
  ]);
}

const silence = write({ event: 'audio', audio: new Uint8Array([0, 0]) });

const additions: Rows = {
  'an unknown message': [
    'live-known-messages',
    onFinish((message) => [write({ event: 'progress', done: 1 }), message]),
  ],
  'a field that nobody knows': [
    'live-known-messages',
    onFinish((_message, value) => [write({ ...value, characters: 12 })]),
  ],
};

const joins = ['live-audio-joins', 'audio-decodes', 'audio-format', 'audio-ends-whole'];
const upgrade = 'live-upgrade';
const onUpgrade = (change: AnswerChange) => ({ answer: onStatus(101, change) });

const sessions: Rows = {
  'a frame of text': ['live-frames', onFinish((message) => [written('{"event":"progress"}'), message])],
  'messages in JSON': [
    'live-frames',
    onFinish((_message, value) => [written(JSON.stringify(value)), closed(1000)]),
  ],
  'nothing ever comes, the socket closes': [
    'live-answers',
    { live: () => ({ sent: (message) => (read(message).event === 'flush' ? [closed(1000)] : []) }) },
  ],
  'finish never comes, the socket closes': ['live-finish-comes', onFinish(() => [closed(1000)])],
  'audio after finish': ['live-starts-with-start', onFinish((message) => [message, silence])],
  'finish before the audio ends': [
    ['live-starts-with-start', 'live-finish-after-stop', 'live-finish-comes', 'live-audio-joins'],
    onAudio((message, _value, count) =>
      count === 0 ? [write({ event: 'finish', reason: 'stop' }), message] : [message],
    ),
  ],
  'finish has a reason that nobody knows': [
    'live-finish-reason',
    onFinish((_message, value) => [write({ ...value, reason: 'done' })]),
  ],
  'an error in place of finish, and the session continues': [
    ['live-error-ends', 'success-expected'],
    onFinish((message) => [write({ event: 'error', error: 'No.' }), message]),
  ],
  'an empty piece of audio': [
    joins,
    onAudio((message) => [write({ event: 'audio', audio: new Uint8Array() }), message]),
  ],
  'audio as base64': [
    'live-message-fields',
    onAudio((_message, { audio }) => [
      write({ event: 'audio', audio: Buffer.from(audio as Uint8Array).toString('base64') }),
    ]),
  ],
  'a piece of audio twice': [
    joins,
    onAudio((message, _value, count) => (count === 1 ? [message, message] : [message])),
  ],
  'the first piece of audio is missing': [
    joins,
    onAudio((message, _value, count) => (count === 0 ? [] : [message])),
  ],
  'another format than that of start': [
    joins,
    each('sent', 'start', (_message, value) => [
      write({ ...value, request: { ...(value.request as JsonObject), format: 'mp3', sample_rate: null } }),
    ]),
  ],
  'text after a flush is not spoken': [
    'live-text-is-spoken',
    {
      live: () => {
        let hasFlushed = false;
        return {
          sent: (message) => {
            const { event } = read(message);
            hasFlushed ||= event === 'flush';
            return hasFlushed && event === 'text' ? [] : [message];
          },
        };
      },
    },
  ],
  'no audio comes': [
    ['audio-not-empty', 'live-audio-joins', 'live-finish-comes'],
    onAudio(() => []),
    ['live-trace'],
  ],
  'the upgrade answers another key': [
    upgrade,
    onUpgrade(header('sec-websocket-accept', 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=')),
  ],
  'the upgrade does not answer the key': [upgrade, onUpgrade(header('sec-websocket-accept', undefined))],
  'the upgrade is answered with 200': [
    ['success-status', 'success-expected', upgrade],
    onUpgrade(text('text/plain', 'yes', 200)),
  ],
};

/** A session that is right and ends by itself, in place of a message that should be refused. */
const accepted = (event: string, rest: (message: LiveMessage) => readonly LiveMessage[]) => ({
  live: (): LiveChange => ({
    sent: (message) => (read(message).event === event ? rest(message) : [message]),
    message: (message) => (read(message).event === 'finish' ? [message, closed(1000)] : [message]),
  }),
});

const start = write({ event: 'start', request: { text: '', format: 'opus' } });
const stop = write({ event: 'stop' });

const refusals: Rows = {
  'text before start is accepted': [
    'refusal-expected',
    accepted('text', (message) => [start, message, stop]),
  ],
  'a refusal closes with 1000': [
    'live-close-code',
    { live: () => ({ message: (message) => [message.kind === 'close' ? closed(1000) : message] }) },
  ],
  'audio after an error': [
    ['live-error-ends', 'live-starts-with-start'],
    each('message', 'error', (message) => [message, silence]),
  ],
};

/** Live sessions whose messages are out of order, unknown, missing or broken, and upgrades that are none. */
export const liveSessions: readonly Mutant[] = [
  ...table(operation, 'live session', { ...fields(), ...sessions }, ['live-session']),
  ...table(operation, 'live session', refusals, ['live-text-before-start']),
  ...table(operation, 'addition', additions, ['live-session']),
];
