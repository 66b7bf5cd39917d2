import { request as startRequest } from 'node:http';
import { Readable } from 'node:stream';
import { encode } from '@msgpack/msgpack';
import { limits } from '@speech-api/types';
import { afterEach, expect, test } from 'vitest';
import { serviceKey, useService } from './testing/use-service.ts';

// Here refusals are proved once, over both servers: by key, model header, missing field, unknown field, range, enum,
// rule between fields, model rule of a dialogue, broken body, media type, query and size. `rules.test.ts` has every
// rule between fields, `contract/agreement.test.ts` ten thousand requests that break a schema.

const service = useService();
const json = { 'content-type': 'application/json' };
const messagePack = { 'content-type': 'application/msgpack' };
const usual = { authorization: `Bearer ${serviceKey}`, model: 's2-pro', ...json };

type Headers = Record<string, string | undefined>;

/** One request as it is written here: no client in between that would look at it first. */
async function post(body: string | Uint8Array<ArrayBuffer>, headers: Headers = usual, path = '/v1/tts') {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const response = await fetch(service.url + path, { method: 'POST', headers: given, body });
  const type = response.headers.get('content-type');
  return { status: response.status, type, body: response.ok ? undefined : await response.json() };
}

function say(fields: object): string {
  return JSON.stringify({ text: 'Good morning.', ...fields });
}

// The service lives on after whatever it was given.
afterEach(async () => {
  const response = await fetch(`${service.url}/v1/tts`, {
    method: 'POST',
    headers: usual,
    body: say({ format: 'pcm' }),
  });
  expect(response.status).toBe(200);
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
});

const general = (status: number, ...words: string[]) => ({
  status,
  body: { status, message: expect.stringMatching(new RegExp(words.join('.*'), 'i')) },
});
const validation = (...loc: string[]) => ({
  status: 422,
  body: [
    {
      loc,
      type: expect.any(String),
      msg: expect.stringContaining(loc.at(-1) ?? ''),
      ctx: expect.any(String),
    },
  ],
});

const cases: [string, string | Uint8Array<ArrayBuffer>, Headers, object][] = [
  ['no key', say({}), { ...usual, authorization: undefined }, general(401, 'authorization')],
  ['a wrong key', say({}), { ...usual, authorization: 'Bearer nobody' }, general(401, 'key')],
  ['no model header', say({}), { ...usual, model: undefined }, validation('header', 'model')],
  ['no text', say({ text: undefined }), usual, validation('body', 'text')],
  ['a misspelt field', say({ temprature: 0.5 }), usual, validation('body', 'temprature')],
  ['a field of another client', say({ features: ['quality-guard'] }), usual, validation('body', 'features')],
  ['an empty list of samples', say({ references: [] }), usual, validation('body', 'references')],
  ['another media type', say({}), { ...usual, 'content-type': 'text/plain' }, general(415, 'text/plain')],
  ['a compressed body', say({}), { ...usual, 'content-encoding': 'gzip' }, general(415, 'gzip')],
  ['a temperature of 2', say({ temperature: 2 }), usual, validation('body', 'temperature')],
  ['a chunk length of 99', say({ chunk_length: 99 }), usual, validation('body', 'chunk_length')],
  ['an unknown format', say({ format: 'flac' }), usual, validation('body', 'format')],
  ['48000 Hz wav', say({ format: 'wav', sample_rate: 48000 }), usual, general(400, 'sample_rate', '48000')],
  [
    'a dialogue on s1',
    say({ text: '<|speaker:0|>Hi.<|speaker:1|>Hello.', reference_id: ['sandbox-alba', 'sandbox-blake'] }),
    { ...usual, model: 's1' },
    general(400, 'model', 's1'),
  ],
  [
    'malformed JSON',
    '{"text": "Good',
    usual,
    { status: 422, body: [{ loc: ['body'], type: 'json_invalid' }] },
  ],
  [
    'truncated MessagePack',
    encode({ text: 'Good morning.' }).slice(0, -4) as Uint8Array<ArrayBuffer>,
    { ...usual, ...messagePack },
    { status: 422, body: [{ loc: ['body'], type: 'msgpack_invalid' }] },
  ],
];

test.each(cases)(
  '%s is refused with its status, its body and the name of the field',
  async (_name, body, headers, expected) => {
    for (const path of ['/v1/tts', '/v1/tts/stream/with-timestamp']) {
      const answer = await post(body, headers, path);
      expect(answer).toMatchObject(expected);
      expect(answer.type).toMatch(/^application\/json/);
    }
  },
);

test.each([
  ['page_size=ten', 'page_size'],
  ['page_number=0', 'page_number'],
  ['sort_by=rating', 'sort_by'],
  ['language[]=en', 'language[]'],
])('the query %s is refused with the name of the parameter', async (query, name) => {
  const answer = await fetch(`${service.url}/model?${query}`, { headers: usual });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject([{ loc: ['query', name] }]);
});

test('a body of one byte over the limit is refused by its announced length, before any of it is read', async () => {
  const answer = await upload(['/v1/tts', {}, ''], { 'content-length': String(limits.requestBodyBytes + 1) });
  expect(answer).toMatchObject({
    status: 413,
    body: { status: 413, message: expect.stringMatching(/67108864|64/) },
  });
});

test('a body over the limit is refused while it arrives, though its sender never ends', async () => {
  const answer = await upload(
    ['/v1/tts', json, ''],
    { 'transfer-encoding': 'chunked' },
    limits.requestBodyBytes + 1,
  );
  expect(answer).toMatchObject(general(413, 'body', '67108864'));
});

type Opening = readonly [path: string, headers: Record<string, string>, start: string | Buffer];

/** Sends the start of a body and `more` bytes, and waits for the answer without an end. */
function upload([path, own, start]: Opening, headers: Record<string, string>, more = 0) {
  return new Promise((resolve, reject) => {
    const request = startRequest(service.url + path, {
      method: 'POST',
      headers: { ...usual, ...own, ...headers },
    });
    request.on('response', async (response) => {
      const body = await new Response(Readable.toWeb(response) as ReadableStream).json();
      resolve({ status: response.statusCode, body });
      request.destroy();
    });
    request.on('error', reject);
    request.write(start);
    request.write(Buffer.alloc(more, ' '));
  });
}
