import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { key, speak, start } from '../testing/mocks.ts';

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

test.each([
  ['a header that is too large', `GET /model HTTP/1.1\r\nx-long: ${'a'.repeat(100_000)}\r\n\r\n`, 431],
  ['bytes that are not HTTP', 'Good morning.\r\n\r\n', 400],
])('answers %s with a general error, although no request came of it', async (_what, bytes, status) => {
  const { port } = new URL((await start()).url);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  socket.write(bytes);
  const [answer] = await once(socket, 'data');
  const [head, body = ''] = String(answer).split('\r\n\r\n');
  expect(head).toContain(`HTTP/1.1 ${status} `);
  expect(JSON.parse(body)).toEqual({ status, message: expect.any(String) });
  socket.destroy();
});
