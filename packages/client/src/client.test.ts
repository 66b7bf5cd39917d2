import { inspect } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { createSpeechClient } from './client.ts';
import { AuthenticationError } from './service-errors.ts';
import { clientOf, errorOf, testKey, voiceOf } from './testing/samples.ts';
import { sendJson, startServer } from './testing/start-server.ts';

const voice = voiceOf('voice');

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

test('without a key, for a server of the own, no Authorization is sent', async () => {
  vi.stubEnv('SPEECH_API_KEY', testKey);
  const server = await startServer((_request, response) => sendJson(response, voice));
  const client = clientOf(server.url, { apiKey: null });
  await client.models.get('voice');
  expect(server.seen[0]?.headers.authorization).toBeUndefined();
  expect(client.settings.apiKey).toBe('');
  expect(await client.settings.authorization()).toBeUndefined();
});

test('a function gives the key of each attempt, and no error shows it', async () => {
  const server = await startServer((_request, response) =>
    server.seen.length < 3
      ? response.writeHead(503).end()
      : sendJson(response, { message: 'bad key-3' }, 401),
  );
  let count = 0;
  const apiKey = async () => {
    count += 1;
    return `key-${count}`;
  };
  const client = clientOf(server.url, { apiKey, retry: { minimumDelay: 0 } });
  const error = await errorOf(client.models.get('voice'));
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer key-1',
    'Bearer key-2',
    'Bearer key-3',
  ]);
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(inspect(error, { showHidden: true })).not.toContain('key-3');
});

test('a page may name its own server by a path', () => {
  vi.stubGlobal('document', {});
  vi.stubGlobal('location', { href: 'https://app.example.com/page?x=1' });
  const { settings } = createSpeechClient({ baseUrl: '/speech/', apiKey: null });
  expect(settings).toMatchObject({
    baseUrl: 'https://app.example.com/speech',
    webSocketUrl: 'wss://app.example.com/speech',
  });
});

test('a page that is rendered on a server may name its server by a path, and makes no call there', async () => {
  const client = createSpeechClient({ baseUrl: '/speech/', apiKey: null });
  expect(client.settings.baseUrl).toBe('/speech');
  const message = 'baseUrl "/speech" is a path; outside of a page, pass the whole address';
  expect(await errorOf(client.models.get('a'))).toMatchObject({ code: 'configuration', message });
});

test('a test with jsdom and an edge runtime do not count as browsers', () => {
  vi.stubGlobal('document', {});
  for (const userAgent of ['Mozilla/5.0 (linux) AppleWebKit/537.36 jsdom/26.0.0', 'Cloudflare-Workers']) {
    vi.stubGlobal('navigator', { userAgent });
    const { settings } = createSpeechClient({ baseUrl: 'http://127.0.0.1', apiKey: testKey });
    expect(settings.apiKey).toBe(testKey);
  }
});

test('SPEECH_LOG writes to the console from its level on', async () => {
  const server = await startServer((_request, response) => response.writeHead(404).end());
  const [debug, warn] = [vi.spyOn(console, 'debug'), vi.spyOn(console, 'warn')].map((spy) =>
    spy.mockImplementation(() => undefined),
  );
  for (const [level, expected] of [
    ['warn', [0, 1]],
    ['debug', [3, 1]],
  ] as const) {
    vi.stubEnv('SPEECH_LOG', level);
    for (const spy of [debug, warn]) spy?.mockClear();
    await errorOf(createSpeechClient({ baseUrl: server.url, apiKey: testKey }).models.get('voice'));
    expect([debug, warn].map((spy) => spy?.mock.calls.length)).toEqual(expected);
  }
});

test('withResponse gives the Response of the service with the result of the call', async () => {
  const server = await startServer(({ url }, response) => {
    const list = { total: 1, items: [voice], has_more: false };
    const headers = { 'x-extra': 'yes', 'x-trace-id': 'c'.repeat(32) };
    sendJson(response, url.startsWith('/model?') ? list : voice, 200, headers);
  });
  const { models } = clientOf(server.url, { retry: { retries: 0 } });
  const { data, response, traceId } = await models.get('voice').withResponse();
  expect([data, response.headers.get('x-extra'), traceId]).toEqual([voice, 'yes', 'c'.repeat(32)]);
  expect(response.url).toBe(`${server.url}/model/voice`);
  const list = await models.list().withResponse();
  expect([list.response.status, list.data.items]).toEqual([200, [voice]]);
  const unreached = clientOf('http://127.0.0.1:1', { retry: { retries: 0 } }).models.get('x');
  expect(await errorOf(unreached.withResponse())).toMatchObject({ code: 'connection' });
});

test('headers of a client go with every request, and those of a call win', async () => {
  const server = await startServer((_request, response) => sendJson(response, voice));
  const client = clientOf(server.url, { headers: { 'x-team': 'radio', 'x-room': '1' } });
  await client.models.get('voice', { headers: { 'x-room': '2' } });
  await client.http.GET('/model/{id}', { params: { path: { id: 'voice' } } });
  const seen = server.seen.map(({ headers }) => [headers['x-team'], headers['x-room']]);
  expect(seen).toEqual([
    ['radio', '2'],
    ['radio', '1'],
  ]);
});

test('client.with changes the named options, keeps the rest and shares the limit of calls', async () => {
  let running = 0;
  let most = 0;
  const server = await startServer((_request, response) => {
    running += 1;
    most = Math.max(most, running);
    setTimeout(() => {
      running -= 1;
      sendJson(response, voice);
    }, 20);
  });
  const headers = { 'x-team': 'radio', 'X-Room': '1' };
  const client = clientOf(server.url, { concurrency: 1, headers, timeouts: { headers: 40_000 } });
  const changed = client.with({ headers: { 'x-room': '2' }, timeouts: { idle: 50_000 }, model: undefined });
  expect(changed.settings).toMatchObject({
    headers: { 'x-team': 'radio', 'x-room': '2' },
    timeouts: { headers: 40_000, idle: 50_000 },
    model: 's2-pro',
  });
  await Promise.all([client, changed, client, changed].map(({ models }) => models.get('voice')));
  expect(most).toBe(1);
  await Promise.all([client, client.with({ concurrency: 2 })].map(({ models }) => models.get('voice')));
  expect(most).toBe(2);
  expect(() => client.with({ timeout: 5 } as object)).toThrow('unknown option timeout; use one of timeouts');
});
