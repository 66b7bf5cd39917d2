import { request as startRequest } from 'node:http';
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

test('a misspelt field gets a suggestion', async () => {
  const { body } = await post(say({ temprature: 0.5 }));
  expect(JSON.stringify(body)).toContain('did you mean `temperature`');
});

test('a body of one byte over the limit is refused by its announced length, before any of it is read', async () => {
  const answer = await upload({ 'content-length': String(limits.requestBodyBytes + 1) }, 64 * 1024);
  expect(answer).toMatchObject({
    status: 413,
    body: { status: 413, message: expect.stringMatching(/67108864|64/) },
  });
});

test('a body without a length is refused while it arrives', async () => {
  const answer = await upload({ 'transfer-encoding': 'chunked' }, 2 * limits.requestBodyBytes);
  expect(answer).toMatchObject({ status: 413, body: { status: 413 } });
  // Bytes that fit into the buffers of the connection are sent before the answer is seen.
  expect(answer.sent).toBeLessThan(1.5 * limits.requestBodyBytes);
});

interface Upload {
  readonly status: number | undefined;
  readonly body: unknown;
  readonly sent: number;
}

/** Sends `bytes` spaces, or as many as the service takes before it answers. */
function upload(headers: Record<string, string>, bytes: number): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const request = startRequest(`${service.url}/v1/tts`, {
      method: 'POST',
      headers: { ...usual, ...headers },
    });
    let answered = false;
    let left = bytes;
    request.on('response', async (response) => {
      answered = true;
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      resolve({
        status: response.statusCode,
        body: JSON.parse(Buffer.concat(parts).toString()),
        sent: bytes - left,
      });
      request.destroy();
    });
    // Once it has answered, the service need not take the rest.
    request.on('error', (error) => answered || reject(error));
    const piece = Buffer.alloc(64 * 1024, ' ');
    const more = (): void => {
      while (left > 0 && !answered) {
        const size = Math.min(left, piece.length);
        left -= size;
        if (!request.write(piece.subarray(0, size))) return void request.once('drain', more);
      }
    };
    more();
  });
}
