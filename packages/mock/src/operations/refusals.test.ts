import { limits } from '@speech-api/types';
import { expect, test } from 'vitest';
import { key, speak, speechHeaders, start } from '../testing/mocks.ts';

test('section 5: a request without a key is refused, and any key is good', async () => {
  const mock = await start();
  for (const headers of [{}, { authorization: 'Basic abc' }, { authorization: 'Bearer ' }]) {
    const response = await fetch(`${mock.url}/model`, { headers });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect([response.status, await response.json()]).toMatchObject([401, { status: 401 }]);
  }
  expect((await fetch(`${mock.url}/model`, { headers: key })).status).toBe(200);
  expect(mock.calls.map(({ violations }) => violations[0]?.rule)).toEqual([
    'key-missing',
    'key-missing',
    'key-missing',
    undefined,
  ]);
});

test('section 5: with its own keys set, it refuses every other key', async () => {
  const mock = await start({ keys: ['team-key'] });
  expect((await fetch(`${mock.url}/model`, { headers: key })).status).toBe(401);
  const headers = { authorization: 'Bearer team-key' };
  expect((await fetch(`${mock.url}/model`, { headers })).status).toBe(200);
});

test('section 4.1: a request without the model header is refused', async () => {
  const { model: _, ...headers } = speechHeaders;
  const mock = await start();
  const response = await fetch(`${mock.url}/v1/tts`, { method: 'POST', headers, body: '{"text":"a"}' });
  expect([response.status, await response.json()]).toMatchObject([422, [{ loc: ['header', 'model'] }]]);
});

test('says which paths and methods there are', async () => {
  const mock = await start();
  const path = await fetch(`${mock.url}/models`, { headers: key });
  expect([path.status, await path.json()]).toMatchObject([
    404,
    { message: expect.stringMatching(/Did you mean \/model\?.*\/v1\/asr/) },
  ]);
  const method = await fetch(`${mock.url}/model/a`, { method: 'PUT', headers: key });
  expect([method.status, method.headers.get('allow')]).toEqual([405, 'GET, DELETE, PATCH']);
});

test('section 8: a file of 20 MB is accepted, a larger one and a larger body are refused', async () => {
  const mock = await start();
  const send = async (bytes: number): Promise<number> => {
    const form = new FormData();
    form.append('audio', new File([new Uint8Array(bytes)], 'a.wav'));
    return (await fetch(`${mock.url}/v1/asr`, { method: 'POST', headers: key, body: form })).status;
  };
  expect(await send(limits.transcriptionFileBytesRefusedAbove)).toBe(200);
  expect(await send(limits.transcriptionFileBytesRefusedAbove + 1)).toBe(413);
  const body = Buffer.alloc(limits.requestBodyBytes + 1, 32);
  const large = await fetch(`${mock.url}/v1/tts`, { method: 'POST', headers: speechHeaders, body });
  expect(large.status).toBe(413);
});

test('strict unless told otherwise: a lenient mock takes the tolerances, and its log tells of them', async () => {
  const body = { text: 'a', references: [], temprature: 1, reference_id: null };
  const [strict, lenient] = [await start(), await start({ lenient: true })];
  expect((await speak(strict, body)).status).toBe(422);
  expect((await speak(lenient, body)).status).toBe(200);
  expect(lenient.calls[0]?.valid).toBe(false);
  expect(new Set(lenient.calls[0]?.violations.map(({ rule }) => rule))).toEqual(new Set(['tolerated']));
});

test('pages of loopback and allowed origins may call, foreign ones and foreign names may not', async () => {
  const mock = await start({ allowOrigin: ['https://staging.example.com'] });
  const from = (origin: string): Promise<Response> =>
    fetch(`${mock.url}/model`, { headers: { ...key, origin } });
  for (const origin of ['http://localhost:3000', 'https://staging.example.com']) {
    const response = await from(origin);
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
  }
  expect((await from('https://evil.example.com')).status).toBe(403);
  const preflight = await fetch(`${mock.url}/v1/tts`, {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-headers')).toMatch(
    /authorization.*prefer, x-speech-fault/,
  );
});

test('section 7: a validation error names each field, a general error has the status of its answer', async () => {
  const mock = await start();
  const issues = await (await speak(mock, { temperature: 2, formatt: 1 })).json();
  expect(issues).toMatchObject([{ loc: ['body', 'text'] }, { loc: ['body', 'temperature'] }, {}]);
  const [issue] = (await (await fetch(`${mock.url}/model?page_size=0`, { headers: key })).json()) as object[];
  expect(issue).toMatchObject({ loc: ['query', 'page_size'], in: 'query' });
  const general = await speak(mock, { text: 'a', format: 'opus', sample_rate: 8000 });
  expect([general.status, await general.json()]).toMatchObject([400, { status: 400 }]);
});
