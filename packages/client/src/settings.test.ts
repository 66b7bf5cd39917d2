import { inspect } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { createSpeechClient } from './client.ts';
import { ConfigurationError } from './errors.ts';
import { clientOf, errorOf, testKey, tone } from './testing/samples.ts';
import { startServer } from './testing/start-server.ts';

const variables = ['SPEECH_API_KEY', 'SPEECH_BASE_URL', 'SPEECH_WEBSOCKET_URL'] as const;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

function clearEnvironment(): void {
  for (const name of variables) vi.stubEnv(name, '');
}

test('without a base URL or a key the error names the variable', () => {
  clearEnvironment();
  expect(() => createSpeechClient({ apiKey: testKey })).toThrow(/SPEECH_BASE_URL/);
  expect(() => createSpeechClient({ baseUrl: 'https://api.example.com' })).toThrow(/SPEECH_API_KEY/);
});

test('the environment provides missing options', () => {
  vi.stubEnv('SPEECH_API_KEY', testKey);
  vi.stubEnv('SPEECH_BASE_URL', 'https://api.example.com/speech/');
  vi.stubEnv('SPEECH_WEBSOCKET_URL', '');
  const { settings } = createSpeechClient();
  expect(settings).toMatchObject({
    apiKey: testKey,
    baseUrl: 'https://api.example.com/speech',
    webSocketUrl: 'wss://api.example.com/speech',
    model: 's2-pro',
  });
  vi.stubEnv('SPEECH_WEBSOCKET_URL', 'wss://live.example.com');
  expect(createSpeechClient().settings.webSocketUrl).toBe('wss://live.example.com');
  expect(createSpeechClient({ baseUrl: 'http://127.0.0.1:4010' }).settings.baseUrl).toBe(
    'http://127.0.0.1:4010',
  );
});

test('an address in code takes the key nowhere else, whatever the variable for sockets says', () => {
  vi.stubEnv('SPEECH_API_KEY', testKey);
  vi.stubEnv('SPEECH_BASE_URL', 'https://api.example.com');
  vi.stubEnv('SPEECH_WEBSOCKET_URL', 'wss://live.example.com');
  const baseUrl = 'http://127.0.0.1:21999';
  expect(createSpeechClient({ baseUrl }).settings.webSocketUrl).toBe('ws://127.0.0.1:21999');
  const webSocketUrl = 'ws://127.0.0.1:22000';
  expect(createSpeechClient({ baseUrl, webSocketUrl }).settings.webSocketUrl).toBe(webSocketUrl);
  expect(createSpeechClient({ webSocketUrl }).settings.webSocketUrl).toBe(webSocketUrl);
});

test.each([
  ['no address', 'api.example.com', /baseUrl/],
  ['another scheme', 'ftp://api.example.com', /https:/],
  ['a password', 'https://me:secret-word@api.example.com', /password/],
  ['a query', 'https://api.example.com?key=secret-word', /query/],
])('a base URL with %s is refused without being repeated', (_name, baseUrl, message) => {
  const make = () => createSpeechClient({ apiKey: testKey, baseUrl });
  expect(make).toThrow(message);
  expect(make).toThrow(expect.not.objectContaining({ message: expect.stringContaining('secret-word') }));
});

test.each([
  ['an edge runtime has without a version of Node', { SPEECH_API_KEY: testKey }, testKey],
  [
    'may not be read in Deno',
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('NotCapable');
        },
      },
    ),
    'given',
  ],
])('a variable that %s is what it is', (_name, env, apiKey) => {
  vi.stubGlobal('process', { env });
  const options = apiKey === testKey ? {} : { apiKey };
  expect(createSpeechClient({ baseUrl: 'https://api.example.com', ...options }).settings.apiKey).toBe(apiKey);
});

test('an address may be a URL', () => {
  const options = { apiKey: testKey, baseUrl: new URL('https://api.example.com/speech/') };
  const { settings } = createSpeechClient({ ...options, webSocketUrl: new URL('wss://live.example.com') });
  expect(settings).toMatchObject({
    baseUrl: 'https://api.example.com/speech',
    webSocketUrl: 'wss://live.example.com',
  });
  const make = () => createSpeechClient({ ...options, baseUrl: new URL('ftp://api.example.com') });
  expect(make).toThrow(/baseUrl must be an address that begins with/);
});

test('of keys that rotate the latest eight are kept out of texts', async () => {
  let made = 0;
  const { settings } = clientOf('https://api.example.com', { apiKey: () => `${testKey}-${made++}` });
  for (let call = 0; call < 9; call += 1) await settings.authorization();
  const texts = Array.from({ length: 9 }, (_, key) => settings.redact(`no ${testKey}-${key}!`));
  expect(texts).toEqual([`no ${testKey}-0!`, ...Array(8).fill('no [key]!')]);
});

test('a key that no header can carry is refused without being shown', () => {
  for (const apiKey of [`${testKey}\n`, `Bearer ${testKey}`, `${testKey}é`]) {
    const make = () => createSpeechClient({ apiKey, baseUrl: 'https://api.example.com' });
    expect(make).toThrow(ConfigurationError);
    expect(make).not.toThrow(new RegExp(testKey));
  }
});

test('a key in a browser needs to be allowed, and the message points to the relay', () => {
  vi.stubGlobal('document', {});
  const options = { apiKey: testKey, baseUrl: 'https://api.example.com' };
  expect(() => createSpeechClient(options)).toThrow(/@speech-api\/relay.*allowBrowserKey/);
  expect(createSpeechClient({ ...options, allowBrowserKey: true }).settings.apiKey).toBe(testKey);
});

test('a client that is logged or serialised does not show its key', () => {
  const client = createSpeechClient({ apiKey: testKey, baseUrl: 'https://api.example.com' });
  for (const shown of [
    JSON.stringify(client),
    JSON.stringify({ ...client.settings }),
    inspect(client, { depth: 20, showHidden: true }),
    String(client),
  ]) {
    expect(shown).not.toContain(testKey);
  }
});

const names = ['queue', 'headers', 'firstByte', 'idle', 'total'] as const;
const inBoth: readonly (readonly [name: string, value: unknown])[] = [
  ...names.map((name) => [`timeouts.${name}`, Number.NaN] as const),
  ['retry.retries', 1.5],
  ['retry.minimumDelay', -1],
  ['retry.maximumDelay', '5000'],
  ['retry.methods', 'POST'],
  ['retry', 3],
  ['model', 'two words'],
  ['headers', { 'x-name': 'two\r\nlines' }],
];
const inClient: typeof inBoth = [
  ['concurrency', 0],
  ['baseUrl', 'not an address'],
  ['webSocketUrl', 'http://127.0.0.1'],
];

/** `{ timeouts: { idle: value } }` for the name `timeouts.idle`. */
function optionsOf(name: string, value: unknown): object {
  const [first = '', second] = name.split('.');
  return { [first]: second === undefined ? value : { [second]: value } };
}

test('options that cannot work are refused by name, in a client and in a call', async () => {
  const server = await startServer((_request, response) => response.end(tone()));
  const valid = { apiKey: testKey, baseUrl: server.url };
  for (const [name, value] of [...inBoth, ...inClient]) {
    const make = () => createSpeechClient({ ...valid, ...optionsOf(name, value) });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(`${name} must be`);
    expect(make).not.toThrow(testKey);
  }
  for (const [name, value] of inBoth) {
    const call = clientOf(server.url).speech.create({ text: 'Hi.' }, optionsOf(name, value));
    const message = expect.stringContaining(`${name} must be`);
    expect(await errorOf(call)).toMatchObject({ name: 'RequestError', message });
  }
  for (const options of [new AbortController(), new Map(), null, 'en']) {
    const error = await errorOf(clientOf(server.url).models.list({}, options as never));
    expect(error).toMatchObject({
      name: 'RequestError',
      message: expect.stringMatching(/^options must be an/),
    });
  }
  const waiting = clientOf(server.url).speech.create({ text: 'Hi.' }, { deadline: 5 } as object);
  await expect(waiting).rejects.toThrow('unknown option deadline; use one of timeouts');
  expect(() => createSpeechClient({ ...valid, ...{ url: 'x' } })).toThrow('unknown option url; use one of');
  expect(server.seen).toEqual([]);
});
