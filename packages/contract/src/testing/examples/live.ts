import { type Example, examplesWith, generalError, type LiveTold, live, refused } from '../exchanges.ts';
import { pcmOf, wavOf } from '../sound.ts';

const audio = pcmOf(1, 8000);
const start = { event: 'start', request: { text: '', format: 'pcm', sample_rate: 8000 } };
const text = { event: 'text', text: 'The tide.' };
const stop = { event: 'stop' };
const piece = { event: 'audio', audio };
const finish = { event: 'finish', reason: 'stop' };
const refusal = { event: 'error', error: 'Too many sessions are open.', max_concurrency: 5 };

type Messages = LiveTold['messages'];
const asked: Messages = [
  ['>', start],
  ['>', text],
  ['>', stop],
];
const whole: Messages = [...asked, ['<', piece], ['<', finish]];
const inWav = (bytes: Uint8Array): Messages => [
  ['>', { ...start, request: { ...start.request, format: 'wav' } }],
  ['>', text],
  ['>', stop],
  ['<', { event: 'audio', audio: bytes }],
  ['<', finish],
];
const good = () => live({ messages: whole });
const session = (messages: Messages, more: Partial<LiveTold> = {}) => live({ messages, ...more });

/** A session that is refused once it is open. */
const erring = (close: LiveTold['close'] & object, ...more: Messages) =>
  session([['>', start], ['<', refusal], ...more], { close });

/** A text of 46 letters in this many seconds. */
const spoken = (seconds: number): Messages => [
  ['>', start],
  ['>', text],
  ['>', { event: 'flush' }],
  ['>', { event: 'text', text: 'The boats come home and the lamps are lit on the pier.' }],
  ['>', stop],
  ['<', { event: 'audio', audio: pcmOf(seconds, 8000) }],
  ['<', finish],
];

const shows = examplesWith(() => [good()]);

export const liveExamples: readonly Example[] = [
  shows('live-upgrade', session(whole, { headers: { 'sec-websocket-accept': 'another' } })),
  shows('live-frames', session([...asked, ['<', '{"event":"audio"}'], ['<', piece], ['<', finish]])),
  shows('live-frames: no map', session([...asked, ['<', Buffer.from([1])], ['<', piece], ['<', finish]])),
  shows('live-message-fields', session([...asked, ['<', { event: 'audio' }], ['<', piece], ['<', finish]])),
  shows(
    'live-message-fields: text for bytes',
    session([...asked, ['<', { event: 'audio', audio: 'AAAA' }], ['<', finish]]),
  ),
  shows('live-known-messages', session([...asked, ['<', { event: 'mood' }], ['<', piece], ['<', finish]])),
  shows('live-known-messages: a field', session([...asked, ['<', { ...piece, seq: 1 }], ['<', finish]])),
  shows('live-finish-reason', session([...asked, ['<', piece], ['<', { event: 'finish', reason: 'done' }]])),
  shows('live-starts-with-start', session([['<', piece], ...whole])),
  shows(
    'live-starts-with-start: after the finish',
    session([...whole, ['<', piece]]),
    session([...whole, ...whole]),
  ),
  shows(
    'live-finish-after-stop',
    session([
      ['>', start],
      ['>', text],
      ['<', piece],
      ['<', finish],
      ['>', stop],
    ]),
  ),
  shows('live-finish-comes', session([...asked, ['<', piece]])),
  shows('live-finish-comes: twice', session([...whole, ['<', finish]])),
  shows(
    'live-audio-joins',
    session([...asked, ['<', { event: 'audio', audio: audio.subarray(1) }], ['<', finish]]),
  ),
  shows(
    'live-audio-joins: an empty piece',
    session([...asked, ['<', { event: 'audio', audio: new Uint8Array() }], ['<', piece], ['<', finish]]),
  ),
  shows(
    'live-audio-joins: a header and nothing behind it',
    session(inWav(wavOf(new Uint8Array(), 8000))),
    session(inWav(wavOf(audio, 8000))),
  ),
  shows('live-audio-joins: none', session([...asked, ['<', finish]])),
  shows('live-error-ends', erring({ code: 1008 }, ['<', piece]), erring({ code: 1008 })),
  shows(
    'live-error-ends: the socket stays open',
    erring({ code: 1006, by: 'nobody' }),
    erring({ code: 1008 }),
  ),
  shows('live-close-code', session(whole, { close: { code: 1011 } })),
  shows(
    'key-checked: of a session',
    session(whole, { expectation: refused('key-unknown') }),
    live({
      messages: [],
      status: 401,
      body: generalError(401),
      headers: { 'www-authenticate': 'Bearer' },
      expectation: refused('key-unknown'),
    }),
  ),
  shows(
    'refusal-expected: a session that is refused once it is open',
    session(whole, { expectation: refused('rule') }),
    session(
      [
        ['>', text],
        ['<', refusal],
      ],
      { close: { code: 1008 }, expectation: refused('rule') },
    ),
    { severity: 'warning' },
  ),
  shows(
    'live-answers',
    session([['>', start]], { unanswered: ['audio', 'finish'] }),
    session(whole, { unanswered: [] }),
  ),
  shows('live-text-is-spoken', session(spoken(0.5)), session(spoken(3))),
];
