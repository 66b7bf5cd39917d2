import { expect, test } from 'vitest';
import { createRelay } from './relay.ts';
import { startRelay } from './start-relay.ts';
import { openPage, page, secretKey, serviceEnd, startService, startTestRelay } from './testing/service.ts';
import { createTickets } from './tickets.ts';

const options = {
  upstream: { webSocketUrl: 'wss://api.example.com', apiKey: secretKey, model: 's2-pro' },
  origins: [page],
  authorize: () => undefined,
};

test.each([
  [
    'a limit that is not a number',
    { limits: { sessionsPerUser: Number.NaN } },
    'limits: sessionsPerUser is NaN; use',
  ],
  [
    'a limit in a string',
    { limits: { sessionsPerUser: '5' } },
    'limits: sessionsPerUser is "5"; use a whole number',
  ],
  [
    'a misspelt limit',
    { limits: { characterPerSession: 5 } },
    'limits: characterPerSession is unknown; use sessions',
  ],
  ['seconds that no timer has', { limits: { idleSeconds: 2_147_484 } }, 'up to 2147483'],
  ['a misspelt option', { limit: {} }, 'the option limit is unknown; use upstream, origins'],
  ['no authorize', { authorize: undefined }, 'authorize must be a function'],
  ['no upstream', { upstream: undefined }, 'upstream must be an object'],
  ['no key', { upstream: { ...options.upstream, apiKey: undefined } }, 'upstream.apiKey must be a string'],
  [
    'a key of two lines',
    { upstream: { ...options.upstream, apiKey: `${secretKey}\n` } },
    'upstream.apiKey must',
  ],
  ['no model', { upstream: { ...options.upstream, model: '' } }, 'upstream.model must be a string'],
  [
    'no address',
    { upstream: { ...options.upstream, webSocketUrl: undefined } },
    'webSocketUrl must begin with',
  ],
  [
    'an address with the path of the session',
    { upstream: { ...options.upstream, webSocketUrl: 'wss://a.example/v1/tts/live' } },
    'webSocketUrl must not end in /v1/tts/live',
  ],
  [
    'an HTTP address with the path of an operation',
    { operations: ['createSpeech'], upstream: { ...options.upstream, baseUrl: 'https://a.example/v1/tts/' } },
    'baseUrl must not end in /v1/tts',
  ],
  ['one host in place of a list', { hosts: 'app.example' }, 'hosts must be a list of strings'],
  ['one origin in place of a list', { origins: page }, 'origins must be a list of strings'],
  [
    'an operation that there is not',
    { operations: ['getModel'] },
    'operations has "getModel"; use createSpeech or',
  ],
])('%s is refused at the start, by its name', async (_, wrong, message) => {
  const given = { ...options, ...wrong } as unknown as typeof options;
  for (const start of [async () => createRelay(given), () => startRelay(given)]) {
    const error = await start().catch((thrown: Error) => thrown);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain(secretKey);
  }
});

test('a port that is none is refused, and is not the name of a file', async () => {
  await expect(startRelay({ ...options, port: 'abc' as unknown as number })).rejects.toThrow(/port/);
});

test('a session lives with the longest of times', async () => {
  const service = await startService();
  const longest = 2_147_483;
  const relay = await startTestRelay(service, { limits: { sessionSeconds: longest, idleSeconds: longest } });
  const client = await openPage(relay);
  await client.until('ready');
  client.socket.close();
  expect(await client.closed).toMatchObject({ code: 1005 });
});

test.each([undefined, null, {}, 'wss://api.example.com'])(
  '%s in place of options is refused by a sentence',
  (given) => {
    expect(() => createRelay(given as never)).toThrow(
      /^(the options must be an object|upstream must be an object)/,
    );
    expect(() => createTickets(given as never)).toThrow(
      /^createTickets takes \{ secret \}, at least 32 bytes$/,
    );
  },
);

test('an address may end in a slash', async () => {
  const service = await startService();
  const relay = await startTestRelay(service, {
    upstream: { ...options.upstream, webSocketUrl: `${service.url}/` },
  });
  await (await openPage(relay)).until('ready');
  expect((await serviceEnd(service)).upgrade?.url).toBe('/v1/tts/live');
});
