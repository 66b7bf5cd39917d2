import { expect, test } from 'vitest';
import { NotFoundError } from '../service-errors.ts';
import { clientOf, errorOf, testKey, voiceOf } from '../testing/samples.ts';
import { sendJson, startServer } from '../testing/start-server.ts';

const model = voiceOf('voice');

test('the limit that the service announces is kept, and refusals are learned from', async () => {
  let running = 0;
  let refusals = 0;
  const server = await startServer((_request, response) => {
    running += 1;
    const tooMany = running > 3;
    if (tooMany) refusals += 1;
    setTimeout(() => {
      running -= 1;
      if (tooMany) response.writeHead(429, { 'ratelimit-limit-concurrency': '3' }).end();
      else sendJson(response, model);
    }, 20);
  });
  const client = clientOf(server.url, { retry: { retries: 5, minimumDelay: 10 } });
  const load = () => Promise.all(Array.from({ length: 12 }, () => client.models.get('voice')));
  await load();
  expect(refusals).toBeGreaterThan(0);
  const before = refusals;
  await load();
  expect(refusals).toBe(before);
});

test('a call that waits to be tried again lets others go first', async () => {
  const server = await startServer(({ url }, response) =>
    url === '/model/busy' && server.seen.length === 1
      ? response.writeHead(503, { 'retry-after': '0.2' }).end()
      : sendJson(response, model),
  );
  const { models } = clientOf(server.url, { concurrency: 1 });
  await Promise.all([models.get('busy'), models.get('other')]);
  expect(server.seen.map(({ url }) => url)).toEqual(['/model/busy', '/model/other', '/model/busy']);
});

test('middleware that throws or answers by itself leaves nothing of the call behind', async () => {
  const server = await startServer((_request, response) => sendJson(response, model));
  const client = clientOf(server.url, { concurrency: 1 });
  const answers = [
    () => Promise.reject(new Error('not today')),
    async () => new Response('{"message":"made up"}', { status: 404 }),
    async () => new Response(JSON.stringify(voiceOf('made up'))),
    async () => undefined,
  ];
  client.http.use({ onRequest: () => answers.shift()?.() });
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  await expect(client.models.get('voice')).rejects.toThrow('not today');
  expect(await errorOf(client.models.get('voice'))).toBeInstanceOf(NotFoundError);
  expect(await client.models.get('voice')).toEqual(voiceOf('made up'));
  expect(server.seen).toEqual([]);
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout')).toHaveLength(before);
  expect(await client.models.get('voice')).toEqual(model);
});

test('client.http is openapi-fetch itself, with the key, the deadlines and no exceptions for statuses', async () => {
  const server = await startServer((request, response) => {
    if (request.url.startsWith('/model/')) sendJson(response, { status: 404, message: 'none' }, 404);
    else if (request.url.startsWith('/model')) sendJson(response, { total: 0, items: [], has_more: false });
    else response.writeHead(200, { 'content-type': 'application/json' }).write('{');
  });
  const { http } = clientOf(server.url, { timeouts: { idle: 500 } });
  const found = await http.GET('/model', { params: { query: { tag: ['a', 'b'] } } });
  expect(found.data).toEqual({ total: 0, items: [], has_more: false });
  expect(server.seen[0]).toMatchObject({
    url: '/model?tag=a&tag=b',
    headers: { authorization: `Bearer ${testKey}` },
  });
  const missing = await http.GET('/model/{id}', { params: { path: { id: 'a/b' } } });
  expect(missing.error).toEqual({ status: 404, message: 'none' });
  expect(server.seen[1]?.url).toBe('/model/a%2Fb');
  const hanging = http.GET('/wallet/{user_id}/package', { params: { path: { user_id: 'self' } } });
  expect(await errorOf(hanging)).toMatchObject({ name: 'TimeoutError', phase: 'idle' });
});
