import { verify } from '@speech-api/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxKey, useOwnSandbox } from '../testing/use-sandbox.ts';
import {
  answers,
  asks,
  type Behaviour,
  type Fields,
  fieldsOf,
  jsonAnswer,
  says,
  sounds,
  startLyingProxy,
  streams,
  without,
} from './lying-proxy.ts';
import { patient } from './run-judge.ts';

// The sandbox behind a proxy that lies about one thing: the judge names the rule. Behind one that does what the
// interface leaves open, it accuses nobody.

const sandbox = useOwnSandbox();
let proxy: Awaited<ReturnType<typeof startLyingProxy>>;
beforeAll(async () => {
  proxy = await startLyingProxy(sandbox.url);
});
afterAll(() => proxy.close());

async function judge(behaviour: Behaviour, only: readonly string[]) {
  proxy.behave(behaviour);
  const report = await verify({ target: proxy.url, key: sandboxKey, only, firstCall: false, ...patient });
  expect(proxy.changes()).toBeGreaterThan(0);
  return report;
}

const goodKey = { authorization: `Bearer ${sandboxKey}` };
const anyKey: Behaviour = { sent: (call) => ({ ...call, headers: { ...call.headers, ...goodKey } }) };
const header = (name: string, value: string) =>
  answers('/', (answer) => ({ ...answer, headers: { ...answer.headers, [name]: value } }));
const query = (change: (query: URLSearchParams) => void): Behaviour => ({
  sent: (call) => {
    const url = new URL(call.target, 'http://x');
    change(url.searchParams);
    return { ...call, target: url.pathname + url.search };
  },
});
const accepts = (path: string): Behaviour => ({
  answered: ({ status }, { target }) =>
    status >= 400 && target.startsWith(path)
      ? jsonAnswer(200, { text: 'Hello.', duration: 2, segments: [] })
      : undefined,
});
const segments = (change: (segment: Fields) => Fields) => (body: Fields) => ({
  ...body,
  segments: (body.segments as Fields[]).map(change),
});
const isMessagePack = (headers: Readonly<Record<string, string>>) =>
  headers['content-type'] === 'application/msgpack';
const patched = (audio: Buffer, offset: number, value: number) => {
  audio.writeUInt16LE(value, offset);
  return audio;
};
const items = (change: (items: Fields[]) => Fields[]) =>
  says('/model?', (page) => ({ ...page, items: change(page.items as Fields[]) }));

const lies: Readonly<Record<string, readonly [rule: string, scenario: string, Behaviour]>> = {
  'a transcription has no text': [
    'field-present',
    'transcription-shortest',
    says('/v1/asr', without('text')),
  ],
  'the credit has no credit': ['field-present', 'wallet-own', says('/wallet', without('credit'))],
  'a list has no items': ['field-present', 'list-large-page', says('/model?', without('items'))],
  'an event has no audio': ['field-present', 'stream-low', streams(without('audio_base64'))],
  'the credit is a number': ['field-type', 'wallet-own', says('/wallet', (body) => ({ ...body, credit: 7 }))],
  'a day is no moment': [
    'date-time-format',
    'wallet-own',
    says('/wallet', (body) => ({ ...body, created_at: '2026-03-01' })),
  ],
  'the total is that of the page': [
    'list-counts',
    'list-pages',
    says('/model?', (page) => ({ ...page, total: (page.items as Fields[]).length })),
  ],
  'a voice is listed twice': [
    'list-is-distinct',
    'list-large-page',
    items((all) => [...all, ...all.slice(0, 1)]),
  ],
  'the page size is ignored': ['list-page-size', 'list-pages', query((asked) => asked.delete('page_size'))],
  'the page number is ignored': [
    'pages-repeat-nothing',
    'list-pages',
    query((asked) => asked.delete('page_number')),
  ],
  'a title filters nothing': [
    'list-filters',
    'list-by-a-title-that-nothing-has',
    query((asked) => asked.delete('title')),
  ],
  'a deletion is a 204': [
    'success-status',
    'voice-from-json',
    { answered: (answer, { method }) => (method === 'DELETE' ? { ...answer, status: 204 } : undefined) },
  ],
  'any key is good': ['key-checked', 'key-unknown-createSpeech', anyKey],
  'any scheme is good': ['key-checked', 'key-basic-createSpeech', anyKey],
  'any latency is good': ['refusal-expected', 'speech-wrong-an-unknown-latency', asks(without('latency'))],
  'two files are taken': ['refusal-expected', 'transcription-of-two-files', accepts('/v1/asr')],
  'a recording may be JSON': ['refusal-expected', 'transcription-as-json', accepts('/v1/asr')],
  'wav is mp3': [
    'audio-format',
    'speech-wav-6',
    asks((fields) => ({ ...fields, format: 'mp3', sample_rate: null })),
  ],
  'the rate is ignored': ['audio-sample-rate', 'speech-wav-5', asks(without('sample_rate'))],
  'wav is stereo': ['audio-channels', 'speech-wav-6', sounds((audio) => patched(audio, 22, 2))],
  'mp3 lacks its end': ['audio-ends-whole', 'speech-mp3-1', sounds((audio) => audio.subarray(0, -50))],
  'wav is silent': ['audio-not-silent', 'speech-wav-6', sounds((audio) => audio.fill(0, 44))],
  'wav has no samples': ['audio-not-empty', 'speech-wav-6', sounds((audio) => audio.subarray(0, 44))],
  'the bitrate is ignored': ['mp3-bitrate', 'speech-mp3-1', asks(without('mp3_bitrate'))],
  'opus is damaged': [
    'audio-decodes',
    'speech-opus-1',
    sounds((audio) => patched(audio, audio.length >> 1, 7)),
  ],
  'pcm is big-endian': ['pcm-byte-order', 'speech-pcm-5', sounds((audio) => audio.swap16())],
  'audio is called JSON': ['audio-is-not-text', 'speech-wav-6', header('content-type', 'application/json')],
  'audio breaks off': [
    'body-complete',
    'speech-wav-6',
    answers('/v1/tts', (answer) => ({ ...answer, cutAfter: 999 })),
  ],
  'an event has two lines': [
    'one-payload-an-event',
    'stream-low',
    streams((event) => `data: {\ndata: ${JSON.stringify(event).slice(1)}`),
  ],
  'an event carries no audio': [
    'every-event-carries-audio',
    'stream-low',
    streams((event) => ({ ...event, audio_base64: '' })),
  ],
  'the chunks count down': [
    'chunk-seq-does-not-decrease',
    'stream-balanced',
    streams((event) => ({ ...event, chunk_seq: 9 - Number(event.chunk_seq) })),
  ],
  'an offset moves': [
    'offset-belongs-to-the-chunk',
    'stream-balanced',
    streams((event, index) => ({ ...event, chunk_audio_offset_sec: index })),
  ],
  'a stream breaks off': [
    'body-ends-cleanly',
    'stream-low',
    answers('/v1/tts', (answer) => ({ ...answer, cutAfter: answer.body.length - 9 })),
  ],
  'the duration is in milliseconds': [
    'transcription-duration-unit',
    'transcription-shortest',
    says('/v1/asr', (body) => ({ ...body, duration: 1000 })),
  ],
  'a segment starts before zero': [
    'transcription-segments-in-order',
    'transcription-encodings',
    says(
      '/v1/asr',
      segments((segment) => ({ ...segment, start: -1 })),
    ),
  ],
  'MessagePack is answered in another way': [
    'encodings-agree',
    'transcription-encodings',
    says('/v1/asr', (body, { headers }) => (isMessagePack(headers) ? { ...body, engine: 'b' } : body)),
  ],
  'an update drops the tags': ['update-is-kept', 'voice-kept', asks(without('tags'))],
  'a deleted voice is there': [
    'deleted-model-is-gone',
    'voice-life',
    { instead: ({ method }) => (method === 'DELETE' ? jsonAnswer(200, {}) : undefined) },
  ],
  'an error has another shape': [
    'error-body-shape',
    'speech-without-text',
    { answered: ({ status }) => (status === 422 ? jsonAnswer(422, { error: 'no' }) : undefined) },
  ],
  'an answer shows the key': ['key-is-not-shown', 'wallet-own', header('x-key', sandboxKey)],
  'live audio lacks a byte': [
    'live-audio-joins',
    'live-session',
    {
      live: ({ event, audio, ...others }) =>
        event === 'audio' ? { event, audio: (audio as Uint8Array).slice(1), ...others } : undefined,
    },
  ],
  'dialogues have no samples': [
    'success-expected',
    'inline-voices-of-two',
    {
      instead: (call) =>
        Array.isArray((fieldsOf(call).references as unknown[] | undefined)?.[0])
          ? jsonAnswer(422, [{ loc: ['body', 'references'], type: 'x', msg: 'Not an object.', ctx: '' }])
          : undefined,
    },
  ],
};

test.each(Object.entries(lies))('%s: the rule is named', async (_, [rule, scenario, behaviour]) => {
  const { findings } = await judge(behaviour, [scenario]);
  expect(findings.map((finding) => finding.rule)).toContain(rule);
});

const everyOther = (turn: number, answer: Behaviour['instead'] & object): Behaviour => {
  let calls = 0;
  return {
    instead: (call) => {
      calls += 1;
      return calls % turn === 0 ? answer(call) : undefined;
    },
  };
};
const bare = (answer: Parameters<Behaviour['answered'] & object>[0]) => ({
  ...answer,
  body: Buffer.alloc(0),
});
const page = { status: 502, headers: { 'content-type': 'text/html' }, body: Buffer.from('<html></html>') };
const speeches = ['speech-wav-*', 'speech-mp3-1', 'speech-encodings'];

const legitimate: Readonly<Record<string, readonly [scenarios: readonly string[], Behaviour]>> = {
  'refuses everything with 400': [
    ['speech-wrong-*'],
    {
      answered: ({ status }) =>
        status === 422 ? jsonAnswer(400, { status: 400, message: 'No.' }) : undefined,
    },
  ],
  'has more fields': [['wallet-own', 'list-*'], says('/', (body) => ({ region: 'eu', ...body }))],
  'has another state and type of voice': [
    ['list-*'],
    items((all) => all.map((model) => ({ ...model, state: 'queued', type: 'asr' }))),
  ],
  'writes comments and ids between events': [
    ['stream-*'],
    streams((event) => `: alive\nid: 7\nevent: message\ndata: ${JSON.stringify(event)}`),
  ],
  'has no alignment': [['stream-low', 'stream-pcm'], streams((event) => ({ ...event, alignment: null }))],
  'leaves out an alignment that is null': [
    ['stream-low', 'stream-pcm'],
    streams((event) => (event.alignment === null ? without('alignment')(event) : event)),
  ],
  'answers changes and deletions with nothing': [
    ['voice-kept'],
    {
      answered: (answer, { method }) =>
        /PATCH|DELETE/.test(method) && answer.status < 300 ? bare(answer) : undefined,
    },
  ],
  'calls audio plain bytes': [speeches, header('content-type', 'application/octet-stream')],
  'writes wav before its length is known': [
    ['speech-wav-*'],
    sounds((audio) => audio.fill(0xff, 4, 8).fill(0xff, 40, 44)),
  ],
  'has no segments although asked': [
    ['transcription-encodings'],
    says('/v1/asr', (body) => ({ ...body, segments: [] })),
  ],
  'sits behind a gateway that fails on every twelfth call': [
    ['list-*', 'wallet-own'],
    everyOther(12, () => page),
  ],
  'loses every fifteenth connection': [
    ['list-*', 'wallet-own'],
    everyOther(15, () => ({ ...page, cutAfter: 0 })),
  ],
};

test.each(Object.entries(legitimate))(
  'a server that %s is accused of nothing',
  async (_, [only, behaviour]) => {
    const { findings } = await judge(behaviour, only);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  },
);
