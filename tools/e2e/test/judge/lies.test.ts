import { verify } from '@speech-api/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxKey, useOwnSandbox } from '../testing/use-sandbox.ts';
import {
  type Answer,
  answers,
  asks,
  type Behaviour,
  type Call,
  type Fields,
  fieldsOf,
  having,
  jsonAnswer,
  says,
  sounds,
  startLyingProxy,
  streams,
  without,
} from './lying-proxy.ts';
import { patient } from './report-words.ts';

// The sandbox behind a proxy that lies about one thing: the judge's own calls bring it out, and its rule is named. What one
// answer says is judged in packages/contract. Behind a proxy that does what the interface leaves open, it accuses nobody.

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
  return report.findings;
}

const goodKey = { authorization: `Bearer ${sandboxKey}` };
const anyKey: Behaviour = { sent: (call) => ({ ...call, headers: { ...call.headers, ...goodKey } }) };
const header = (name: string, value: string) =>
  answers('/', ({ headers }) => ({ headers: { ...headers, [name]: value } }));
const ignores = (name: string): Behaviour => ({
  sent: (call) => ({ ...call, target: call.target.replace(new RegExp(`${name}=[^&]*&?`), '') }),
});
const onStatus = (failed: number, answer: Answer): Behaviour => ({
  answered: ({ status }) => (status === failed ? answer : undefined),
});
const transcript = jsonAnswer(200, { text: 'Hello.', duration: 2, segments: [] });
const issue = { loc: ['body', 'references'], type: 'type', msg: 'Not an object.', ctx: '' };
const onDelete = (change: (answer: Answer) => Answer): Behaviour => ({
  answered: (answer, { method }) =>
    method === 'DELETE' && answer.status === 200 ? change(answer) : undefined,
});
const lists = (change: (items: Fields[]) => Fields) =>
  says('/model?', (page) => ({ ...page, ...change(page.items as Fields[]) }));
const timed =
  (times: Fields) =>
  ({ segments, ...body }: Fields) => ({ ...body, segments: (segments as Fields[]).map(having(times)) });
const isPacked = ({ headers }: Call) => headers['content-type'] === 'application/msgpack';
const half = ({ text, ...fields }: Fields) => ({ ...fields, text: String(text).slice(0, 30) });
/** Each list is the first one that was answered. */
function staleLists(): Behaviour {
  let before: Fields | undefined;
  return says('/model?', (page) => (before ??= page));
}
const cut = (bytes: number) => answers('/v1/tts', () => ({ cutAfter: bytes }));
const isDialogue = (call: Parameters<typeof fieldsOf>[0]) =>
  Array.isArray([fieldsOf(call).references].flat()[0]);

const lies: readonly (readonly [rule: string, scenario: string, lie: string, Behaviour])[] = [
  ['list-page-size', 'list-pages', 'any page size', ignores('page_size')],
  ['pages-repeat-nothing', 'list-pages', 'one page', ignores('page_number')],
  ['list-filters', 'list-by-a-title-that-nothing-has', 'any title', ignores('title')],
  ['key-checked', 'key-unknown-createSpeech', 'any key', anyKey],
  ['key-checked', 'key-basic-createSpeech', 'any scheme', anyKey],
  ['refusal-expected', 'speech-wrong-an-unknown-latency', 'any latency', asks(without('latency'))],
  ['refusal-expected', 'transcription-of-two-files', 'two files', onStatus(422, transcript)],
  ['refusal-expected', 'transcription-as-json', 'JSON for a recording', onStatus(415, transcript)],
  ['audio-format', 'speech-wav-1', 'mp3 for wav', asks(having({ format: 'mp3', sample_rate: null }))],
  ['audio-sample-rate', 'speech-wav-5', 'one rate', asks(without('sample_rate'))],
  ['mp3-bitrate', 'speech-mp3-1', 'one bitrate', asks(without('mp3_bitrate'))],
  ['body-complete', 'speech-wav-1', 'a broken body', cut(999)],
  ['body-ends-cleanly', 'stream-low', 'a broken stream', cut(9999)],
  ['update-is-kept', 'voice-kept', 'no change of the tags', asks(without('tags'))],
  ['list-follows-changes', 'voice-listed', 'a list from before', staleLists()],
  ['speech-lasts-the-same', 'speech-encodings', 'half of the text by MessagePack', asks(half, isPacked)],
  ['speech-is-transcribed', 'transcription-encodings', 'no words', says('/v1/asr', having({ text: '' }))],
  [
    'transcription-times-are-told',
    'transcription-encodings',
    'no times',
    says('/v1/asr', timed({ start: 0, end: 0 })),
  ],
  [
    'transcription-segments-have-the-text',
    'transcription-encodings',
    'half of the words',
    says('/v1/asr', ({ segments, ...body }) => ({ ...body, segments: (segments as Fields[]).slice(7) })),
  ],
  [
    'live-audio-joins',
    'live-session',
    'audio without its first byte',
    {
      live: ({ audio, ...other }) => (audio ? { ...other, audio: (audio as Buffer).subarray(1) } : undefined),
    },
  ],
  [
    'success-expected',
    'inline-voices-of-two',
    'no dialogues of samples',
    { instead: (call) => (isDialogue(call) ? jsonAnswer(422, [issue]) : undefined) },
  ],
];

test.each(lies)('%s of %s is named for %s', async (rule, scenario, _lie, behaviour) => {
  expect((await judge(behaviour, [scenario])).map((finding) => finding.rule)).toContain(rule);
});

const refusal = jsonAnswer(400, { status: 400, message: 'No.' });
const commented = (event: Fields) => `: alive\nid: 7\nevent: message\ndata: ${JSON.stringify(event)}`;
const bare = (event: Fields) => (event.alignment === null ? without('alignment')(event) : event);
const unsized = (audio: Buffer) => audio.fill(0xff, 4, 8).fill(0xff, 40, 44);
const queued = lists((all) => ({ items: all.map(having({ state: 'queued', type: 'asr' })) }));

const page401 = { status: 401, headers: { 'content-type': 'text/html' }, body: Buffer.from('<html>401') };
const ownPictures: Behaviour = {
  instead: (call) => (call.method === 'PATCH' && 'cover_image' in fieldsOf(call) ? refusal : undefined),
  ...says('/model/', having({ cover_image: 'https://pictures.example/1.png' })),
};

const legitimate: readonly (readonly [what: string, scenarios: readonly string[], Behaviour])[] = [
  ['refuses everything with 400', ['speech-wrong-*'], onStatus(422, refusal)],
  ['has more fields', ['wallet-own', 'list-*'], says('/', having({ region: 'eu' }))],
  ['has other states and types of voices', ['list-*'], queued],
  ['comments its stream', ['stream-low'], streams(commented)],
  ['leaves out an alignment that is null', ['stream-low', 'stream-pcm'], streams(bare)],
  [
    'answers deletions with nothing',
    ['voice-kept'],
    onDelete((answer) => ({ ...answer, body: Buffer.of() })),
  ],
  ['calls audio plain bytes', ['speech-wav-*'], header('content-type', 'application/octet-stream')],
  ['writes wav before its length is known', ['speech-wav-*'], sounds(unsized)],
  ['hosts pictures itself, and refuses those that it cannot fetch', ['voice-kept'], ownPictures],
  [
    'answers 401 with nothing',
    ['key-unknown-createSpeech', 'key-unknown-listModels'],
    onStatus(401, { ...refusal, status: 401, body: Buffer.of() }),
  ],
  ['answers 401 with a page', ['key-unknown-createSpeech', 'key-unknown-listModels'], onStatus(401, page401)],
  ['caps its total, and says so', ['list-*'], lists(() => ({ total: 1, total_is_exact: false }))],
  ['answers deletions with 204', ['voice-kept'], onDelete((answer) => ({ ...answer, status: 204 }))],
  ['has no segments although asked', ['transcription-encodings'], says('/v1/asr', having({ segments: [] }))],
];

test.each(legitimate)('a server that %s is accused of nothing', async (_what, only, behaviour) => {
  expect((await judge(behaviour, only)).filter(({ severity }) => severity === 'error')).toEqual([]);
});
