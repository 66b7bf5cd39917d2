import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startMock } from './start-mock.ts';
import { key, speak, start, stream } from './testing/mocks.ts';

test('starts hundreds in one process, each on its own port, and keeps nothing of any', async () => {
  const mocks = await Promise.all(Array.from({ length: 200 }, () => startMock()));
  expect(new Set(mocks.map(({ port }) => port)).size).toBe(200);
  for (const mock of mocks.slice(0, 20)) {
    expect((await fetch(`${mock.url}/model`, { headers: key })).status).toBe(200);
    expect(mock.calls).toHaveLength(1);
  }
  await Promise.all(mocks.map((mock) => mock.close()));
  await expect(fetch(`${mocks[0]?.url}/model`)).rejects.toThrow();
});

test('may be closed twice, and cuts calls that are under way', async () => {
  const mock = await start();
  const response = await stream(mock, { text: 'a' }, { prefer: 'example=one-hour' });
  await Promise.all([mock.close(), mock.close()]);
  await expect(response.text()).rejects.toThrow();
});

test('does not wait for a request that never comes to its end', async () => {
  const mock = await start();
  const socket = connect(mock.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = ['POST /v1/tts HTTP/1.1', 'host: localhost', 'authorization: Bearer any-key', 'model: s2-pro'];
  socket.write(`${[...head, 'content-type: application/json', 'content-length: 100'].join('\r\n')}\r\n\r\n{`);
  await expect.poll(() => mock.calls.length).toBe(1);
  await mock.close();
  socket.destroy();
});

test('strict unless told otherwise: a lenient mock takes the tolerances, and its log tells of them', async () => {
  const body = { text: 'a', references: [], temprature: 1, reference_id: null };
  const [strict, lenient] = [await start(), await start({ lenient: true })];
  expect((await speak(strict, body)).status).toBe(422);
  expect((await speak(lenient, body)).status).toBe(200);
  expect(lenient.calls[0]?.valid).toBe(false);
  expect(new Set(lenient.calls[0]?.violations.map(({ rule }) => rule))).toEqual(new Set(['tolerated']));
});

test('pages of loopback and allowed origins may call', async () => {
  const mock = await start({ allowOrigin: ['https://staging.example.com'] });
  for (const origin of ['http://localhost:3000', 'https://staging.example.com']) {
    for (const [method, status] of Object.entries({ OPTIONS: 204, GET: 200 })) {
      const headers = { ...key, origin, 'access-control-request-method': 'GET' };
      const answer = await fetch(`${mock.url}/model`, { method, headers });
      const allowed = answer.headers.get('access-control-allow-origin');
      expect([answer.status, allowed]).toEqual([status, origin]);
    }
  }
});
