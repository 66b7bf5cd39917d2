import { expect, test } from 'vitest';
import { clientOf, errorOf, tone } from '../testing/samples.ts';
import { sendJson, startServer } from '../testing/start-server.ts';

// A success is a Response of the platform, over a stream that belongs to the call.

const request = { text: 'Hello there.', format: 'pcm' } as const;
const headers = { 'content-type': 'audio/pcm', 'x-from-service': 'yes' };
const speaking = () => startServer((_request, response) => response.writeHead(200, headers).end(tone()));

test('an answer and its clone can be read by whoever likes, with the headers of the service', async () => {
  const server = await speaking();
  const { data, response } = await clientOf(server.url).speech.create(request).withResponse();
  expect(Object.getPrototypeOf(response)).toBe(Response.prototype);
  expect(response.url).toBe(`${server.url}/v1/tts`);
  const copy = response.clone();
  const [fromCopy, fromAudio] = await Promise.all([copy.bytes(), data.bytes()]);
  expect(fromCopy).toEqual(tone());
  expect(fromAudio).toEqual(tone());
  expect(copy.headers.get('x-from-service')).toBe('yes');
});

test('an answer can be split, and a second read of it fails as the platform says', async () => {
  const server = await speaking();
  const { response } = await clientOf(server.url).speech.create(request).withResponse();
  for (const half of response.body?.tee() ?? []) expect(await new Response(half).bytes()).toEqual(tone());
  await expect(response.bytes()).rejects.toBeInstanceOf(TypeError);
});

test.each([204, 205])('a %i has no body and ends the call', async (status) => {
  const server = await startServer((_request, response) => response.writeHead(status).end());
  const client = clientOf(server.url, { concurrency: 1 });
  const answers = [client.models.delete('a'), client.models.delete('b')].map((call) => call.withResponse());
  for (const { response } of await Promise.all(answers)) {
    expect(response).toMatchObject({ status, body: null });
    expect(Object.getPrototypeOf(response)).toBe(Response.prototype);
  }
});

test('middleware gets an error as the service sent it, of any status', async () => {
  const server = await startServer((_request, response) => sendJson(response, { message: 'no' }, 700));
  const client = clientOf(server.url);
  const seen: unknown[] = [];
  client.http.use({
    onResponse: async ({ response }) =>
      void seen.push(response.status, response.url, await response.clone().json()),
  });
  expect(await errorOf(client.models.get('a', { retry: { retries: 0 } }))).toMatchObject({
    name: 'ServerError',
    status: 700,
    body: { message: 'no' },
  });
  expect(seen).toEqual([700, `${server.url}/model/a`, { message: 'no' }]);
});

test('middleware that never answers is held to the signal of the call', async () => {
  const server = await speaking();
  const client = clientOf(server.url);
  client.http.use({ onRequest: () => new Promise(() => undefined) });
  const signal = AbortSignal.timeout(50);
  expect(await errorOf(client.speech.create(request, { signal }))).toMatchObject({ name: 'AbortError' });
});
