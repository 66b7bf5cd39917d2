import { inspect } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { createSpeechClient } from './client.ts';
import { ConfigurationError } from './errors.ts';
import { testKey } from './testing/samples.ts';

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
  clearEnvironment();
  let made = 0;
  const { settings } = createSpeechClient({
    baseUrl: 'https://api.example.com',
    apiKey: () => `${testKey}-${made++}`,
  });
  for (let call = 0; call < 9; call += 1) await settings.authorization();
  for (let key = 1; key < 9; key += 1) {
    expect(settings.redact(`no ${testKey}-${key}!`)).toBe('no [key]!');
  }
  expect(settings.redact(`no ${testKey}-0!`)).toBe(`no ${testKey}-0!`);
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
