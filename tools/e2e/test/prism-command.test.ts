import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { encode } from '@msgpack/msgpack';
import { useMock } from '@speech-api/mock/vitest';
import { afterAll, beforeAll, expect, test } from 'vitest';

// What other teams run already: `prism mock` on the published document. Its JSON routes answer as our mock does, byte for
// byte; and what the mock's README says it cannot do is so.

const mock = useMock();
const { resolve } = createRequire(import.meta.url);
const key = { authorization: 'Bearer any-key' };
const speech = { ...key, model: 's2-pro', 'content-type': 'application/json' };

let prism: ChildProcess | undefined;
let url = '';

beforeAll(async () => {
  const options = ['mock', '--port', '0', resolve('@speech-api/spec/openapi-3.1.json')];
  const env = { ...process.env, SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1' };
  const child = spawn(process.execPath, [resolve('@stoplight/prism-cli/dist/index.js'), ...options], { env });
  prism = child;
  url = await new Promise((found, fail) => {
    let words = '';
    child.stdout.on('data', (chunk) => {
      words += chunk;
      const [, address] = /listening on (http:\/\/[\d.:]+)/.exec(words) ?? [];
      if (address !== undefined) found(address);
    });
    child.once('exit', (code) => fail(new Error(`prism ended with ${code}:\n${words}`)));
  });
});

afterAll(() => {
  prism?.kill();
});

const json = (method: string, body: object): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const newVoice = {
  type: 'tts',
  title: 'Harbour at dawn',
  train_mode: 'fast',
  visibility: 'private',
  description: 'A calm voice for stories about the sea.',
  tags: ['calm', 'narration'],
  voices: ['AQID'],
};

const routes: [string, RequestInit, string?][] = [
  ['/model?page_size=5&tag=calm&tag=deep', {}],
  ['/model', json('POST', newVoice)],
  ['/model/802e3bc2b27e49c2995d23ef70e6ac89', {}],
  ['/model/a', json('PATCH', { title: 'Dusk' })],
  ['/model/a', { method: 'DELETE' }],
  ['/wallet/self/api-credit', {}],
  ['/wallet/self/package', {}],
  ['/model/a', {}, 'code=404'],
  ['/model/a', {}, 'code=403'],
  ['/model', {}, 'code=429'],
  ['/wallet/self/package', {}, 'code=500'],
  ['/model/a', { method: 'DELETE' }, 'code=204'],
  ['/v1/tts', json('POST', { text: 'Hello.' }), 'code=402'],
  ['/v1/tts', json('POST', { text: 'Hello.' }), 'code=422, example=modelHeaderMissing'],
];

test.each(routes)('%s, %o, Prefer: %s: Prism and the mock answer alike', async (path, init, prefer) => {
  const headers = { ...key, model: 's2-pro', ...init.headers, ...(prefer === undefined ? {} : { prefer }) };
  const answers = [];
  for (const base of [url, mock.url]) {
    const response = await fetch(base + path, { ...init, headers });
    const text = await response.text();
    answers.push([response.status, text === '' ? '' : JSON.parse(text)]);
  }
  expect(answers[1]).toEqual(answers[0]);
  expect(mock).toBeValidRequest();
});

test('both refuse a request without a key, and a field that is misspelt, with the same status', async () => {
  const cases: [number, string, RequestInit][] = [
    [401, '/model', {}],
    [422, '/v1/tts', { method: 'POST', headers: speech, body: '{"text":"a","temprature":1}' }],
    [422, '/model?page_size=0', { headers: key }],
    [415, '/v1/tts', { method: 'POST', headers: { ...speech, 'content-type': 'text/xml' }, body: '<a/>' }],
  ];
  for (const [status, path, init] of cases) {
    for (const base of [url, mock.url]) expect((await fetch(base + path, init)).status).toBe(status);
  }
});

async function statuses(path: string, init: () => RequestInit): Promise<number[]> {
  const found = [];
  for (const base of [url, mock.url]) {
    const response = await fetch(base + path, init());
    await response.arrayBuffer();
    found.push(response.status);
  }
  return found;
}

test('Prism alone refuses a good body of MessagePack', async () => {
  const headers = { ...speech, 'content-type': 'application/msgpack' };
  const body = Buffer.from(encode({ text: 'Hello.' }));
  expect(await statuses('/v1/tts', () => ({ method: 'POST', headers, body }))).toEqual([422, 200]);
});

test('Prism alone refuses a recording above 10 MB', async () => {
  const init = (): RequestInit => {
    const form = new FormData();
    form.append('audio', new File([new Uint8Array(11_000_000)], 'a.wav'));
    return { method: 'POST', headers: key, body: form };
  };
  const [prismStatus, mockStatus] = await statuses('/v1/asr', init);
  expect([(prismStatus ?? 0) >= 400, mockStatus]).toEqual([true, 200]);
});

test('Prism alone lets a rate pass that the format does not have', async () => {
  const body = JSON.stringify({ text: 'Hello.', format: 'opus', sample_rate: 8000 });
  expect(await statuses('/v1/tts', () => ({ method: 'POST', headers: speech, body }))).toEqual([200, 400]);
});

test('Prism answers speech with words, the mock with audio in the format asked for', async () => {
  const body = JSON.stringify({ text: 'Hello.', format: 'wav' });
  const init = { method: 'POST', headers: speech, body };
  expect(await (await fetch(`${url}/v1/tts`, init)).text()).toMatch(/^[\w() ."]+$/);
  const audio = Buffer.from(await (await fetch(`${mock.url}/v1/tts`, init)).arrayBuffer());
  expect(audio.toString('latin1', 0, 4)).toBe('RIFF');
});
