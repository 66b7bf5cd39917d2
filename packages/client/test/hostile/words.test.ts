import { expect, test, vi } from 'vitest';
import { createSpeechClient } from '../../src/client.ts';
import {
  ApiError,
  ConfigurationError,
  ConnectionError,
  ProtocolError,
  TimeoutError,
} from '../../src/index.ts';
import { clientOf, errorOf, testKey, tone } from '../../src/testing/samples.ts';
import { sendJson, startServer } from '../../src/testing/start-server.ts';

// What an error says and shows.

/** Everything that a log, a dashboard or a debugger may show of an error. */
function shownOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? '';
  return [error, error.stack, JSON.stringify(error), ...Object.values(error), shownOf(error.cause)].join(
    '\n',
  );
}

test.each([
  ['in its message', () => new Error(`proxy said Bearer ${testKey}`)],
  ['as a text', () => `proxy said Bearer ${testKey}`],
  ['in its cause', () => new TypeError('fetch failed', { cause: new Error(`proxy said ${testKey}`) })],
  [
    'in a field',
    () => Object.assign(new Error('proxy failed'), { config: { headers: { authorization: testKey } } }),
  ],
])('a key that a fetch throws %s is not in the error', async (_name, thrown) => {
  const fetch = async () => {
    throw thrown();
  };
  const error = (await errorOf(
    clientOf('http://127.0.0.1:9', { fetch }).speech.create({ text: 'Hi.' }),
  )) as Error;
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.message).toMatch(
    /^createSpeech: the connection to 127\.0\.0\.1:9 failed: proxy (said|failed)/,
  );
  expect(shownOf(error)).not.toContain(testKey);
  expect(error.cause).toBeInstanceOf(Error);
});

test('the cause without a key in it is the very error of fetch', async () => {
  const thrown = new Error('no network');
  const fetch = () => Promise.reject(thrown);
  const error = (await errorOf(
    clientOf('http://127.0.0.1:9', { fetch }).models.list({}, { retry: { retries: 0 } }),
  )) as Error;
  expect(error.cause).toBe(thrown);
});

test('a connection that fails names the operation and the host, and neither path nor key', async () => {
  const server = await startServer(() => undefined);
  const host = `127.0.0.1:${server.port === 1 ? 2 : 1}`;
  const call = clientOf(`http://${host}/deep/path`).speech.create({ text: 'Hi.' });
  const { message } = (await errorOf(call)) as Error;
  expect(message).toMatch(new RegExp(`^createSpeech: .*${host}`));
  expect(message).not.toContain('path');
  const refused = Object.assign(new Error('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
  const fetch = () => Promise.reject(refused);
  const error = (await errorOf(
    clientOf(`http://${host}`, { fetch }).speech.create({ text: 'Hi.' }),
  )) as Error;
  expect(error.message).toBe(`createSpeech: could not connect to ${host} (ECONNREFUSED)`);
});

test('a page that says 404 is shown with its address, without a query', async () => {
  const server = await startServer(({ url }, response) => {
    if (url.includes('json')) return sendJson(response, { status: 404, message: 'no voice' }, 404);
    return response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
  });
  const wrong = clientOf(`${server.url}/api`);
  const error = (await errorOf(wrong.models.list({ title: 'mine' }))) as ApiError;
  expect(error.message).toBe(`listModels: 404 Not found (from ${server.url}/api/model)`);
  expect(((await errorOf(wrong.models.get('json'))) as Error).message).toBe('getModel: 404 no voice');
});

test('calls that wait for places which unread audio holds are told so', async () => {
  const server = await startServer((_request, response) => response.end(tone()));
  const { speech } = clientOf(server.url, { concurrency: 2, timeouts: { queue: 200 } });
  const settled = await Promise.allSettled(
    ['a', 'b', 'c'].map((text) => speech.create({ text, format: 'pcm' })),
  );
  const [failure] = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
  expect(failure).toBeInstanceOf(TimeoutError);
  expect(failure?.message).toContain(
    'read or cancel the audio of earlier calls, such as .then((audio) => audio.bytes())',
  );
  expect(server.seen).toHaveLength(2);
  for (const one of settled) if (one.status === 'fulfilled') one.value.cancel();
});

test.each([
  [
    'throws',
    () => {
      throw new Error(`vault down`);
    },
    /^apiKey\(\) failed: vault down/,
  ],
  ['rejects', () => Promise.reject(new Error('vault down')), /^apiKey\(\) failed: vault down/],
  ['never settles', () => new Promise<string>(() => undefined), /^apiKey\(\) gave no key within 300 ms$/],
])(
  'a function for the key that %s is asked once, and is no failed connection',
  async (_name, give, words) => {
    const server = await startServer((_request, response) => sendJson(response, { _id: 'voice' }));
    const apiKey = vi.fn(give);
    const client = createSpeechClient({ apiKey, baseUrl: server.url, timeouts: { headers: 300 } });
    const error = (await errorOf(client.models.get('voice'))) as ConfigurationError;
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.code).toBe('configuration');
    expect(error.message).toMatch(words);
    expect(apiKey).toHaveBeenCalledTimes(1);
    expect(server.seen).toEqual([]);
    if (!words.source.includes('no key'))
      expect(error.cause).toMatchObject({ message: expect.stringContaining('vault') });
  },
);

test('an error as JSON has its name and its message', async () => {
  const server = await startServer((_request, response) => sendJson(response, { message: 'no voice' }, 404));
  const error = await errorOf(clientOf(server.url).models.get('voice'));
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({
    name: 'NotFoundError',
    message: 'getModel: 404 no voice',
    code: 'not_found',
    status: 404,
  });
});

test('a platform without the fetch API is told what it lacks', async () => {
  vi.stubGlobal('Request', undefined);
  Reflect.deleteProperty(globalThis, 'Request');
  try {
    const error = (await errorOf(clientOf('http://127.0.0.1:9').speech.create({ text: 'Hi.' }))) as Error;
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toMatch(/^Request is missing here/);
  } finally {
    vi.unstubAllGlobals();
  }
});

const eventStream = { 'content-type': 'text/event-stream' };

test.each([
  { body: 'data: {"status":500,"message":"engine died"}\n\n', said: 'engine died' },
  { body: 'data: {"error":{"message":"engine died"}}\n\n', said: 'engine died' },
  { body: 'event: error\ndata: {"status":500,"message":"engine died"}\n\n', said: 'engine died' },
  { body: 'event: error\ndata: engine died\n\n', said: 'engine died' },
  { body: `event: error\ndata: no ${testKey}\n\n`, said: 'no [key]' },
  { body: `data: {"message":"${'long '.repeat(1000)}"}\n\n`, said: 'long …' },
])('an error in a stream of events is quoted: $said', async ({ body, said }) => {
  const server = await startServer((_request, response) => response.writeHead(200, eventStream).end(body));
  const stream = await clientOf(server.url).speech.streamWithTimestamps({ text: 'Hi.' });
  const error = (await errorOf(stream.collect())) as ProtocolError;
  expect(error).toBeInstanceOf(ProtocolError);
  expect(error.message).toMatch(/^streamSpeechWithTimestamps: the service sent an error in the stream: /i);
  expect(error.message.endsWith(said)).toBe(true);
  expect(error.message.length).toBeLessThan(500);
  expect(shownOf(error)).not.toContain(testKey);
  expect(ApiError.isInstance(error)).toBe(false);
});
