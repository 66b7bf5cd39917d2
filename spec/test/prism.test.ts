import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { find, readDocument } from './documents.ts';

const document = readDocument('openapi-3.1.json');
const file = fileURLToPath(new URL('../dist/openapi-3.1.json', import.meta.url));
const prism = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');

const key = { authorization: 'Bearer any-key' };
const json = { ...key, 'content-type': 'application/json' };
const speech = { ...json, model: 's2-pro' };
const sample = { audio: 'AA==', text: 'b' };

describe('`prism mock` on the 3.1 document', () => {
  let url = '';
  const server = spawn(process.execPath, [prism, 'mock', '--port', '0', file], {
    env: { ...process.env, SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

  beforeAll(async () => {
    url = await new Promise((resolve, reject) => {
      let words = '';
      const read = (chunk: Buffer) => {
        words += chunk;
        const found = /listening on (http:\/\/[\d.:]+)/.exec(words)?.[1];
        if (found !== undefined) resolve(found);
      };
      server.stdout.on('data', read);
      server.stderr.on('data', read);
      server.once('exit', (status) => reject(new Error(`prism ended with ${status}:\n${words}`)));
    });
  }, 60_000);

  afterAll(() => server.kill());

  test.each([
    ['/model', 'onePageOfVoices'],
    ['/model?tag=calm&tag=deep&self=true&page_size=1', 'onePageOfVoices'],
    ['/model/802e3bc2b27e49c2995d23ef70e6ac89', 'trainedVoice'],
    ['/wallet/self/api-credit', 'creditLeft'],
    ['/wallet/self/package', 'monthlyPackage'],
  ])('answers GET %s with the example %s', async (path, example) => {
    const response = await fetch(url + path, { headers: key });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(find(document, `/components/examples/${example}/value`));
  });

  test.each([
    ['GET', '/model'],
    ['POST', '/v1/tts'],
    ['DELETE', '/model/1'],
    ['GET', '/wallet/self/package'],
  ])('answers %s %s without a key with 401 and the general body', async (method, path) => {
    const response = await fetch(url + path, { method });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual(find(document, '/components/examples/keyMissing/value'));
  });

  // Which bodies the schemas allow is proved by requests.test.ts; here, that Prism reads them.
  test('accepts and refuses bodies by their schema, with the validation list', async () => {
    const good = await post('/v1/tts', { text: 'a', reference_id: ['a'], references: [[sample]] });
    expect([good.status, good.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    const bad = await post('/v1/tts', { text: 'a', reference_id: ['a'], references: [sample] });
    expect(bad.status).toBe(422);
    expect(await bad.json()).toEqual([
      expect.objectContaining({ loc: expect.any(Array), msg: expect.any(String) }),
    ]);
  });

  test('refuses a request without the model header, and lets an unknown model through', async () => {
    const { model: _, ...withoutModel } = speech;
    expect((await post('/v1/tts', { text: 'a' }, withoutModel)).status).toBe(422);
    expect((await post('/v1/tts', { text: 'a' }, { ...speech, model: 's9' })).status).toBe(200);
  });

  test('refuses a body in another media type with 415', async () => {
    expect((await post('/v1/tts', {}, { ...speech, 'content-type': 'text/xml' })).status).toBe(415);
  });

  test('answers the timestamped stream with events that can be read', async () => {
    const response = await post('/v1/tts/stream/with-timestamp', { text: 'a' });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toMatch(/^event: message\ndata: \{"audio_base64":"/);
  });

  test('adds to model errors in which part of the request they are', async () => {
    const response = await fetch(`${url}/model?page_size=0`, { headers: key });
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual([expect.objectContaining({ in: 'query' })]);
  });

  test('changes and deletes a voice model with an empty body', async () => {
    for (const [method, body] of [
      ['PATCH', '{"title":"Dusk","tags":null}'],
      ['DELETE', null],
    ] as const) {
      const response = await fetch(`${url}/model/1`, { method, headers: json, body });
      expect([response.status, await response.text()]).toEqual([200, '']);
    }
  });

  function post(path: string, body: object, headers: Record<string, string> = speech): Promise<Response> {
    return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  }
});
