import { decode, encode } from '@msgpack/msgpack';
import type { AnswerChange, LiveChange, LiveMessage } from '../carried.ts';
import { header, isObject, type JsonObject, onStatus, set, text } from '../change.ts';
import { type Mutant, type Row, type Rows, table } from '../mutant.ts';
import { messageOf } from '../specification.ts';
import { fieldBreaks } from './fields.ts';

const operation = 'openLiveSession';

/** A message by what it says: a map is sent in MessagePack, text as text, and a number closes with this code. */
type Said = JsonObject | string | number;

function written(said: Said): LiveMessage {
  if (typeof said === 'string') return { kind: 'text', payload: Buffer.from(said) };
  if (typeof said !== 'number')
    return { kind: 'binary', payload: Buffer.from(encode(said, { ignoreUndefined: true })) };
  // What comes after the close frame is seen by nobody.
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(said);
  return { kind: 'close', payload };
}

const read = ({ kind, payload }: LiveMessage): JsonObject => {
  const value: unknown = kind === 'binary' ? decode(payload) : {};
  return isObject(value) ? value : {};
};

/** Other messages in place of one; `count` is how many of its event came before in this session. */
type Change = (message: JsonObject, count: number) => readonly Said[];

/** Other messages in place of those of one event. */
export const each = (from: keyof LiveChange, event: string, change: Change): { live: () => LiveChange } => ({
  live: () => {
    let count = 0;
    return {
      [from]: (message: LiveMessage) => {
        const value = read(message);
        return value.event === event ? change(value, count++).map(written) : [message];
      },
    };
  },
});

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
    ...rows('FinishMessage', (change) => onFinish((finish) => [change(finish) as JsonObject, 1000])),
    ...rows('AudioMessage', (change) =>
      onAudio((audio, count) => [count === 0 ? audio : (change(audio) as JsonObject)]),
    ),
  ]);
}

const silence = { event: 'audio', audio: new Uint8Array([0, 0]) };

const additions: Rows = {
  'an unknown message': [
    'live-known-messages',
    onFinish((finish) => [{ event: 'progress', done: 1 }, finish]),
  ],
  'a field that nobody knows': ['live-known-messages', onFinish((finish) => [{ ...finish, characters: 12 }])],
};

const joins = ['live-audio-joins', 'audio-decodes', 'audio-format', 'audio-ends-whole'];
const upgrade = 'live-upgrade';
const accept = 'sec-websocket-accept';
const onUpgrade = (change: AnswerChange) => ({ answer: onStatus(101, change) });

const sessions: Rows = {
  'a frame of text': ['live-frames', onFinish((finish) => ['{"event":"progress"}', finish])],
  'messages in JSON': ['live-frames', onFinish((finish) => [JSON.stringify(finish), 1000])],
  'nothing ever comes, the socket closes': [
    'live-answers',
    { live: () => ({ sent: (message) => (read(message).event === 'flush' ? [written(1000)] : []) }) },
  ],
  'finish never comes, the socket closes': ['live-finish-comes', onFinish(() => [1000])],
  'audio after finish': ['live-starts-with-start', onFinish((finish) => [finish, silence])],
  'finish before the audio ends': [
    ['live-starts-with-start', 'live-finish-after-stop', 'live-finish-comes', 'live-audio-joins'],
    onAudio((audio, count) => (count === 0 ? [{ event: 'finish', reason: 'stop' }, audio] : [audio])),
  ],
  'finish has a reason that nobody knows': [
    'live-finish-reason',
    onFinish((finish) => [{ ...finish, reason: 'done' }]),
  ],
  'an error in place of finish, and the session continues': [
    ['live-error-ends', 'success-expected'],
    onFinish((finish) => [{ event: 'error', error: 'No.' }, finish]),
  ],
  'an empty piece of audio': [joins, onAudio((audio) => [{ ...audio, audio: new Uint8Array() }, audio])],
  'audio as base64': [
    'live-message-fields',
    onAudio((audio) => [set('audio', (bytes) => Buffer.from(bytes as Uint8Array).toString('base64'))(audio)]),
  ],
  'a piece of audio twice': [joins, onAudio((audio, count) => (count === 1 ? [audio, audio] : [audio]))],
  'the first piece of audio is missing': [joins, onAudio((audio, count) => (count === 0 ? [] : [audio]))],
  'another format than that of start': [
    joins,
    each('sent', 'start', (message) => [
      { ...message, request: { ...(message.request as JsonObject), format: 'mp3', sample_rate: null } },
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
  'the upgrade answers another key': [upgrade, onUpgrade(header(accept, 's3pPLMBiTxaQ9kYGzzhZRbK+xOo='))],
  'the upgrade does not answer the key': [upgrade, onUpgrade(header(accept, undefined))],
  'the upgrade is answered with 200': [
    ['success-status', 'success-expected', upgrade],
    onUpgrade(text('text/plain', 'yes', 200)),
  ],
};

const started = written({ event: 'start', request: { text: '', format: 'opus' } });

const refusals: Rows = {
  // A session that is right and ends by itself, in place of the refusal.
  'text before start is accepted': [
    'refusal-expected',
    {
      live: () => ({
        sent: (message) =>
          read(message).event === 'text' ? [started, message, written({ event: 'stop' })] : [message],
        message: (message) => (read(message).event === 'finish' ? [message, written(1000)] : [message]),
      }),
    },
  ],
  'a refusal closes with 1000': [
    'live-close-code',
    { live: () => ({ message: (message) => [message.kind === 'close' ? written(1000) : message] }) },
  ],
  'audio after an error': [
    ['live-error-ends', 'live-starts-with-start'],
    each('message', 'error', (error) => [error, silence]),
  ],
};

/** Live sessions whose messages are out of order, unknown, missing or broken, and upgrades that are none. */
export const liveSessions: readonly Mutant[] = [
  ...table(operation, 'live session', { ...fields(), ...sessions }, ['live-session']),
  ...table(operation, 'live session', refusals, ['live-text-before-start']),
  ...table(operation, 'addition', additions, ['live-session']),
];
