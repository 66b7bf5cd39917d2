import { type Example, generalError, type LiveTold, live, refused } from '../../testing/exchanges.ts';
import { pcmOf, wavOf } from '../../testing/sound.ts';

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

/** A text of 46 letters in so many seconds. */
const spoken = (seconds: number): Messages => [
  ['>', start],
  ['>', text],
  ['>', { event: 'flush' }],
  ['>', { event: 'text', text: 'The boats come home and the lamps are lit on the pier.' }],
  ['>', stop],
  ['<', { event: 'audio', audio: pcmOf(seconds, 8000) }],
  ['<', finish],
];

export const liveExamples: readonly Example[] = [
  {
    rule: 'live-upgrade',
    keeps: [good()],
    breaks: [session(whole, { headers: { 'sec-websocket-accept': 'another' } })],
  },
  {
    rule: 'live-frames',
    keeps: [good()],
    breaks: [session([...asked, ['<', '{"event":"audio"}'], ['<', piece], ['<', finish]])],
  },
  {
    rule: 'live-frames',
    about: 'no map',
    keeps: [good()],
    breaks: [session([...asked, ['<', Buffer.from([1])], ['<', piece], ['<', finish]])],
  },
  {
    rule: 'live-message-fields',
    keeps: [good()],
    breaks: [session([...asked, ['<', { event: 'audio' }], ['<', piece], ['<', finish]])],
  },
  {
    rule: 'live-message-fields',
    about: 'text for bytes',
    keeps: [good()],
    breaks: [session([...asked, ['<', { event: 'audio', audio: 'AAAA' }], ['<', finish]])],
  },
  {
    rule: 'live-known-messages',
    keeps: [good()],
    breaks: [session([...asked, ['<', { event: 'mood' }], ['<', piece], ['<', finish]])],
  },
  {
    rule: 'live-known-messages',
    about: 'a field',
    keeps: [good()],
    breaks: [session([...asked, ['<', { ...piece, seq: 1 }], ['<', finish]])],
  },
  {
    rule: 'live-finish-reason',
    keeps: [good()],
    breaks: [session([...asked, ['<', piece], ['<', { event: 'finish', reason: 'done' }]])],
  },
  { rule: 'live-starts-with-start', keeps: [good()], breaks: [session([['<', piece], ...whole])] },
  {
    rule: 'live-starts-with-start',
    about: 'after the finish',
    keeps: [session([...whole, ...whole])],
    breaks: [session([...whole, ['<', piece]])],
  },
  {
    rule: 'live-finish-after-stop',
    keeps: [good()],
    breaks: [
      session([
        ['>', start],
        ['>', text],
        ['<', piece],
        ['<', finish],
        ['>', stop],
      ]),
    ],
  },
  { rule: 'live-finish-comes', keeps: [good()], breaks: [session([...asked, ['<', piece]])] },
  {
    rule: 'live-finish-comes',
    about: 'twice',
    keeps: [good()],
    breaks: [session([...whole, ['<', finish]])],
  },
  {
    rule: 'live-audio-joins',
    keeps: [good()],
    breaks: [session([...asked, ['<', { event: 'audio', audio: audio.subarray(1) }], ['<', finish]])],
  },
  {
    rule: 'live-audio-joins',
    about: 'an empty piece',
    keeps: [good()],
    breaks: [
      session([...asked, ['<', { event: 'audio', audio: new Uint8Array() }], ['<', piece], ['<', finish]]),
    ],
  },
  {
    rule: 'live-audio-joins',
    about: 'a header and nothing behind it',
    keeps: [session(inWav(wavOf(audio, 8000)))],
    breaks: [session(inWav(wavOf(new Uint8Array(), 8000)))],
  },
  { rule: 'live-audio-joins', about: 'none', keeps: [good()], breaks: [session([...asked, ['<', finish]])] },
  {
    rule: 'live-error-ends',
    keeps: [
      session(
        [
          ['>', start],
          ['<', refusal],
        ],
        { close: { code: 1008 } },
      ),
    ],
    breaks: [
      session(
        [
          ['>', start],
          ['<', refusal],
          ['<', piece],
        ],
        { close: { code: 1008 } },
      ),
    ],
  },
  {
    rule: 'live-error-ends',
    about: 'the socket stays open',
    keeps: [
      session(
        [
          ['>', start],
          ['<', refusal],
        ],
        { close: { code: 1008 } },
      ),
    ],
    breaks: [
      session(
        [
          ['>', start],
          ['<', refusal],
        ],
        { close: { code: 1006, by: 'nobody' } },
      ),
    ],
  },
  { rule: 'live-close-code', keeps: [good()], breaks: [session(whole, { close: { code: 1011 } })] },
  {
    rule: 'key-checked',
    about: 'of a session',
    keeps: [
      live({
        messages: [],
        status: 401,
        body: generalError(401),
        headers: { 'www-authenticate': 'Bearer' },
        expectation: refused('key-unknown'),
      }),
    ],
    breaks: [session(whole, { expectation: refused('key-unknown') })],
  },
  {
    rule: 'refusal-expected',
    about: 'a session that is refused once it is open',
    severity: 'warning',
    keeps: [
      session(
        [
          ['>', text],
          ['<', refusal],
        ],
        { close: { code: 1008 }, expectation: refused('rule') },
      ),
    ],
    breaks: [session(whole, { expectation: refused('rule') })],
  },
  {
    rule: 'live-answers',
    keeps: [session(whole, { unanswered: [] })],
    breaks: [session([['>', start]], { unanswered: ['audio', 'finish'] })],
  },
  {
    rule: 'live-text-is-spoken',
    keeps: [session(spoken(3))],
    breaks: [session(spoken(0.5))],
  },
];
