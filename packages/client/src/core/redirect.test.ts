import { expect, test } from 'vitest';
import { ProtocolError } from '../errors.ts';
import { clientOf, errorOf, voiceOf } from '../testing/samples.ts';
import { sendJson, startServer } from '../testing/start-server.ts';

const model = voiceOf('voice');
const secretText = 'words that nobody else may read';

test.each([301, 302, 303, 307, 308])('a GET follows a %s within its origin', async (status) => {
  const server = await startServer(({ url }, response) => {
    if (url === '/model/moved') sendJson(response, model);
    else response.writeHead(status, { location: '/model/moved' }).end('moved');
  });
  const client = clientOf(server.url);
  for (const middleware of [false, true]) {
    if (middleware) client.http.use({ onRequest: () => undefined });
    expect(await client.models.get('voice')).toEqual(model);
  }
  expect(server.seen.map(({ url }) => url)).toEqual([
    '/model/voice',
    '/model/moved',
    '/model/voice',
    '/model/moved',
  ]);
  expect(server.seen[1]?.headers.authorization).toBe(server.seen[0]?.headers.authorization);
});

test('a redirect to another origin is an error, and nothing reaches its target', async () => {
  const target = await startServer((_request, response) => sendJson(response, model));
  const server = await startServer((_request, response) =>
    response.writeHead(307, { location: `${target.url}/elsewhere?token=1` }).end(),
  );
  const client = clientOf(server.url);
  for (const call of [() => client.models.get('voice'), () => client.speech.create({ text: secretText })]) {
    const error = (await errorOf(call())) as ProtocolError;
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error.message).toContain(target.url);
    expect(error.message).not.toContain('token');
    expect(error.status).toBe(307);
  }
  expect(target.seen).toEqual([]);
  expect(server.seen).toHaveLength(2);
});

test('only a GET is redirected, even within its origin', async () => {
  const server = await startServer((_request, response) =>
    response.writeHead(307, { location: '/again' }).end(),
  );
  const client = clientOf(server.url, { retry: { methods: ['GET', 'POST', 'PATCH', 'DELETE'] } });
  const calls = [
    () => client.speech.create({ text: secretText }),
    () => client.models.update('voice', { title: 'New' }),
    () => client.models.delete('voice'),
  ];
  for (const call of calls) expect(await errorOf(call())).toBeInstanceOf(ProtocolError);
  expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'DELETE']);
});

test('redirects that go round end, and one that leads nowhere is an error', async () => {
  const server = await startServer(({ url }, response) => {
    response.writeHead(302, url === '/model/round' ? { location: '/model/round' } : {}).end();
  });
  const { models } = clientOf(server.url);
  expect(await errorOf(models.get('round'))).toBeInstanceOf(ProtocolError);
  expect(server.seen.length).toBeLessThan(10);
  expect(await errorOf(models.get('nowhere'))).toBeInstanceOf(ProtocolError);
});
