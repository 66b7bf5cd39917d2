import { expect, test } from 'vitest';
import { createSpeechClient } from '../../src/client.ts';
import { ConfigurationError, RequestError } from '../../src/index.ts';
import type { SpeechClientOptions, SpeechOptions } from '../../src/options.ts';
import { clientOf, errorOf, testKey, tone } from '../../src/testing/samples.ts';
import { startServer } from '../../src/testing/start-server.ts';

// Options as a program without a type check, a configuration file or an environment fills them.

type Entry = readonly [name: string, value: unknown];

const numbers = [Number.NaN, -1, '5000', null] as const;
const deadlines = ['queue', 'headers', 'firstByte', 'idle', 'total'] as const;
const wrongInBoth: readonly Entry[] = [
  ...deadlines.flatMap((name) => numbers.map((value): Entry => [`timeouts.${name}`, value])),
  ...['retries', 'minimumDelay', 'maximumDelay'].flatMap((name) =>
    numbers.map((value): Entry => [`retry.${name}`, value]),
  ),
  ['retry.retries', 1.5],
  ['retry.retries', Number.POSITIVE_INFINITY],
  ['retry.methods', 'GET'],
  ['retry.methods', [1]],
  ['retry.methods', ['FETCH']],
  ['timeouts', 5000],
  ['retry', false],
  ['timeouts.header', 5000],
  ['timeouts.first_byte', 5000],
  ['retry.maxRetries', 3],
  ['trace', 'on'],
  ['trace', {}],
  ['model', ''],
  ['model', 7],
  ['model', 'two words'],
  ['headers', 'x-name: value'],
  ['headers', { 'x-name': 'two\r\nlines' }],
  ['headers', { 'two words': 'value' }],
  ['headers', { 'x-name': 'snow ☃' }],
];
const wrongInClient: readonly Entry[] = [
  ['concurrency', 0],
  ['concurrency', Number.NaN],
  ['concurrency', '5'],
  ['concurrency', 1.5],
  ['apiKey', 7],
  ['apiKey', 'two words'],
  ['baseUrl', 7],
  ['baseUrl', 'not an address'],
  ['webSocketUrl', 'http://127.0.0.1'],
  ['fetch', {}],
  ['logger', 'console'],
  ['allowBrowserKey', 'yes'],
  ['apikey', testKey],
  ['baseURL', 'http://127.0.0.1'],
  ['timeout', 5000],
  ['maxRetries', 2],
];
const wrongInCall: readonly Entry[] = [
  ['signal', {}],
  ['timeout', 5000],
  ['abortSignal', new AbortController().signal],
];

/** `{ timeouts: { idle: value } }` for the name `timeouts.idle`. */
function optionsOf(name: string, value: unknown): object {
  const [first = '', second] = name.split('.');
  return { [first]: second === undefined ? value : { [second]: value } };
}

const shown = (value: unknown) =>
  typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? String(value));
const titled = (entries: readonly Entry[]) =>
  entries.map(([name, value]) => ({
    name,
    value,
    title: `${name}: ${Number.isNaN(value) ? 'NaN' : shown(value)}`,
  }));

test.each(titled([...wrongInBoth, ...wrongInClient]))('a client refuses $title', ({ name, value }) => {
  const options = { apiKey: testKey, baseUrl: 'http://127.0.0.1:9', ...optionsOf(name, value) };
  let error: unknown;
  try {
    createSpeechClient(options as SpeechClientOptions);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toMatchObject({ code: 'configuration' });
  expect((error as Error).message).toMatch(name === 'apiKey' ? /apiKey|API key/ : name);
  expect((error as Error).message).not.toContain(testKey);
});

test.each(titled([...wrongInBoth, ...wrongInCall]))(
  'a call refuses $title before it is sent',
  async ({ name, value }) => {
    const server = await startServer((_request, response) => response.end(tone()));
    const { speech } = clientOf(server.url);
    const options = optionsOf(name, value) as SpeechOptions;
    const error = await errorOf(speech.create({ text: 'Hello.', format: 'pcm' }, options));
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({ code: 'request' });
    expect((error as Error).message).toContain(name);
    expect(server.seen).toEqual([]);
  },
);

const allowed: readonly Entry[] = [
  ...deadlines.map((name): Entry => [`timeouts.${name}`, undefined]),
  ...deadlines.map((name): Entry => [`timeouts.${name}`, Number.POSITIVE_INFINITY]),
  ['timeouts', undefined],
  ['retry', undefined],
  ['retry.retries', undefined],
  ['retry.methods', undefined],
  ['retry.minimumDelay', undefined],
  ['retry.maximumDelay', Number.POSITIVE_INFINITY],
  ['retry.methods', ['get']],
  ['trace', undefined],
  ['trace', false],
  ['model', undefined],
];

test.each(titled(allowed))(
  '$title works in a client and in a call, with one POST',
  async ({ name, value }) => {
    const server = await startServer((_request, response) => response.end(tone()));
    const options = optionsOf(name, value);
    for (const [client, call] of [
      [options, {}],
      [{}, options],
    ] as const) {
      const audio = await clientOf(server.url, client).speech.create({ text: 'Hello.', format: 'pcm' }, call);
      expect((await audio.bytes()).length).toBe(tone().length);
    }
    expect(server.seen).toHaveLength(2);
  },
);

test('retries that are undefined are two, for a GET alone', async () => {
  const server = await startServer((_request, response) => response.writeHead(503).end());
  const client = clientOf(server.url, {
    retry: { retries: undefined, minimumDelay: 0, maximumDelay: 1 } as object,
  });
  await errorOf(client.models.get('voice', { retry: { retries: undefined } as object }));
  expect(server.seen).toHaveLength(3);
  await errorOf(client.speech.create({ text: 'Once.' }, { retry: { methods: undefined } as object }));
  expect(server.seen).toHaveLength(4);
});

test('methods that may be sent again are named in any case', async () => {
  const server = await startServer((_request, response) => response.writeHead(503).end());
  const retry = { methods: ['post'], retries: 1, minimumDelay: 0 };
  await errorOf(clientOf(server.url, { retry }).speech.create({ text: 'Twice.' }));
  expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'POST']);
});

test('options that are no object are refused', () => {
  for (const options of [null, 'https://api.example.com', 5]) {
    expect(() => createSpeechClient(options as unknown as SpeechClientOptions)).toThrow(ConfigurationError);
  }
});

test.each([
  ['singal', 'signal'],
  ['header', 'headers'],
  ['maxRetries', 'retry.retries'],
  ['idleTimeout', 'timeouts.idle'],
])('the misspelt option %s of a call is refused with the name that was meant', async (name, meant) => {
  const server = await startServer((_request, response) => response.end(tone()));
  const call = clientOf(server.url).speech.create({ text: 'Hello.' }, { [name]: undefined });
  const error = (await errorOf(call)) as Error;
  expect(error).toBeInstanceOf(RequestError);
  expect(error.message).toBe(`unknown option ${name}; did you mean ${meant}?`);
  expect(server.seen).toEqual([]);
});

test.each([
  ['a controller', new AbortController(), 'options must be an object; did you mean { signal }?'],
  ['a signal', AbortSignal.abort(), 'options must be an object; did you mean { signal }?'],
  ['a Map', new Map(), 'options must be an object'],
  ['a list', [], 'options must be an object'],
  ['null', null, 'options must be an object'],
  ['a text', 'en', 'options must be an object'],
])('%s in place of options is refused before anything is sent', async (_name, options, words) => {
  const server = await startServer((_request, response) => response.end(tone()));
  const { speech, models, transcriptions, wallet } = clientOf(server.url);
  for (const call of [
    speech.create({ text: 'Hello.' }, options as object),
    models.get('voice', options as object),
    models.list({}, options as object),
    transcriptions.create({ audio: tone() }, options as object),
    wallet.getPackage('self', options as object),
  ]) {
    const error = (await errorOf(call)) as Error;
    expect(error).toBeInstanceOf(RequestError);
    expect(error.message).toBe(words);
  }
  expect(server.seen).toEqual([]);
});

test.each([10, { maximumBytes: '10' }, { maximumBytes: 0 }, { maximum: 10 }, new Map(), null])(
  'bytes, blob and collect refuse %j',
  async (options) => {
    const server = await startServer(({ url }, response) => {
      response.writeHead(200, { 'content-type': url.endsWith('tts') ? 'audio/pcm' : 'text/event-stream' });
      response.end(tone());
    });
    const { speech } = clientOf(server.url);
    const audio = await speech.create({ text: 'Hello.', format: 'pcm' });
    const stream = await speech.streamWithTimestamps({ text: 'Hello.' });
    for (const call of [
      audio.bytes(options as object),
      audio.blob(options as object),
      stream.collect(options as object),
    ])
      expect(await errorOf(call)).toBeInstanceOf(RequestError);
    // A refused option takes nothing away.
    expect((await audio.bytes()).length).toBe(tone().length);
    stream.cancel();
  },
);

test('a number of retries and an address that is none are refused with what to write instead', () => {
  const make = (options: object) => () => createSpeechClient(options as SpeechClientOptions);
  expect(make({ retry: 3 })).toThrow('retry must be an object, such as { retries: 3 }');
  expect(make({ retry: false })).toThrow('retry must be an object, such as { retries: 3 }');
  expect(make({ baseUrl: {} })).toThrow('baseUrl must be an address as a string or a URL');
});

test.each([
  ['key', 'apiKey'],
  ['url', 'baseUrl'],
  ['baseURL', 'baseUrl'],
  ['logging', undefined],
])('the option %s of a client is refused, and what was meant is %s', (name, meant) => {
  const hint = meant ? `; did you mean ${meant}?` : '';
  expect(() => createSpeechClient({ [name]: 'x' })).toThrow(
    new ConfigurationError(`unknown option ${name}${hint}`),
  );
});

test('an option that is like no other is refused without a guess', async () => {
  const call = clientOf('http://127.0.0.1:9').speech.create({ text: 'Hello.' }, { voice: 'anna' } as object);
  expect(((await errorOf(call)) as Error).message).toBe('unknown option voice');
});
