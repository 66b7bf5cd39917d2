import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { retryAfterSeconds } from '../api-error.ts';
import { ProtocolError, type SpeechError } from '../errors.ts';
import type { Fetch, RetryOptions } from '../options.ts';
import { clientOf, errorOf, tone, voiceOf } from '../testing/samples.ts';
import { sendJson, startServer } from '../testing/start-server.ts';
import { isRetryableStatus, retryDelay } from './exchange.ts';

const options = { retries: 3, minimumDelay: 500, maximumDelay: 1500 };
const longest = (retriesDone: number) => retryDelay(options, retriesDone, undefined, () => 1);

test('waits double up to the cap, with jitter down to nothing', () => {
  expect([longest(0), longest(1), longest(2)]).toEqual([500, 1000, 1500]);
  expect(retryDelay(options, 2, undefined, () => 0)).toBe(0);
  expect(longest(3)).toBeUndefined();
});

test('retry-after is obeyed within the cap; beyond it there is no further try', () => {
  expect(retryDelay(options, 0, 1.5)).toBe(1500);
  expect(retryDelay(options, 0, 0)).toBe(0);
  expect(retryDelay(options, 0, 1.6)).toBeUndefined();
});

test('only statuses that pass with time are tried again', () => {
  const statuses = [400, 401, 402, 403, 404, 408, 413, 415, 422, 429, 500, 502, 503, 504];
  expect(statuses.filter(isRetryableStatus)).toEqual([408, 429, 500, 502, 503, 504]);
});

test.each([
  ['3', 3],
  [' 1.5 ', 1.5],
  ['Wed, 21 Oct 2015 07:28:10 GMT', 10],
  ['Wed, 21 Oct 2015 07:27:00 GMT', 0],
  // The two older forms of a date, which are in UTC, too.
  ['Wed Oct 21 07:28:10 2015', 10],
  ['Wednesday, 21-Oct-15 07:28:10 GMT', 10],
  ['soon', undefined],
  ['-5', undefined],
  ['', undefined],
])('retry-after of "%s" is %s seconds', (value, seconds) => {
  vi.stubEnv('TZ', 'America/New_York');
  onTestFinished(() => void vi.unstubAllEnvs());
  // The clock of the service, which may be years behind ours.
  const date = 'Wed, 21 Oct 2015 07:28:00 GMT';
  expect(retryAfterSeconds(new Headers({ 'retry-after': value, date }))).toBe(seconds);
});

type Client = ReturnType<typeof clientOf>;
type Answer = (response: ServerResponse) => unknown;

const status =
  (code: number, headers = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end();
const cut =
  (code: number): Answer =>
  (response) => {
    response.writeHead(code, { 'content-type': 'audio/pcm', 'content-length': '100' }).write('ab');
    setTimeout(() => response.destroy(), 20);
  };
const reset: Answer = (response) => response.socket?.destroy();
const voice: Answer = (response) => sendJson(response, voiceOf('voice'));
const audio: Answer = (response) => response.writeHead(200, { 'content-type': 'audio/pcm' }).end(tone());
const get = ({ models }: Client) => models.get('voice');
const say = async ({ speech }: Client) => (await speech.create({ text: 'Hi.', format: 'pcm' })).bytes();
const update = ({ models }: Client) => models.update('voice', { title: 'New' });
const remove = ({ models }: Client) => models.delete('voice');
const moved = (location: string) => status(307, { location });

/** Answers in turn (the last one repeats), the expected number of requests, and the error's name. */
type Row = readonly [string, Answer[], (client: Client) => Promise<unknown>, RetryOptions, number, string?];
const rows: readonly Row[] = [
  ['a GET after two 503', [status(503), status(503), voice], get, {}, 3],
  ['a GET that meets nothing but 500', [status(500)], get, {}, 3, 'ServerError'],
  ['a GET with retries that are undefined', [status(500)], get, { retries: undefined }, 3, 'ServerError'],
  ['a GET after a reset', [reset, voice], get, {}, 2],
  ['a GET that is told to wait an hour', [status(429, { 'retry-after': '3600' })], get, {}, 1, 'TooMany'],
  ['a GET whose error breaks off', [cut(401)], get, {}, 1, 'AuthenticationError'],
  ['a POST that meets 503', [status(503)], say, {}, 1, 'ServerError'],
  ['a POST after a reset', [reset], say, {}, 1, 'ConnectionError'],
  ['a POST whose methods are undefined', [status(503)], say, { methods: undefined }, 1, 'ServerError'],
  ['a POST that meets 429', [status(429)], say, {}, 1, 'TooMany'],
  ['a POST that is repeated unbilled, after 429', [status(429), audio], say, { unbilled: true }, 2],
  ['a POST that is repeated unbilled, on 503', [status(503)], say, { unbilled: true }, 1, 'ServerError'],
  ['a POST that is repeated unbilled, on 408', [status(408)], say, { unbilled: true }, 1, 'ApiError'],
  ['a POST that is repeated unbilled, cut', [reset], say, { unbilled: true }, 1, 'ConnectionError'],
  ['a POST that may be repeated', [status(503), audio], say, { methods: ['GET', 'POST'] }, 2],
  ['a POST that may be, by a name in any case', [status(503), audio], say, { methods: ['post'] }, 2],
  ['a POST that may be, after resets', [reset], say, { methods: ['POST'] }, 3, 'ConnectionError'],
  ['a POST that may be, whose error breaks off', [cut(503)], say, { methods: ['POST'] }, 1, 'ServerError'],
  ['a POST that may be, whose success breaks off', [cut(200)], say, { methods: ['POST'] }, 1, 'Connection'],
  ...[301, 302, 303, 307, 308].map(
    (code): Row => [`a GET after a ${code}`, [status(code, { location: '/model/moved' }), voice], get, {}, 2],
  ),
  ['a GET that moves in circles', [moved('/model/voice')], get, {}, 6, 'ProtocolError'],
  ['a GET that moves nowhere', [status(307)], get, {}, 1, 'ProtocolError'],
  ['a POST that is moved', [moved('/again')], say, { methods: ['POST'] }, 1, 'ProtocolError'],
  ['a PATCH that is moved', [moved('/again')], update, { methods: ['PATCH'] }, 1, 'ProtocolError'],
  ['a DELETE that is moved', [moved('/again')], remove, { methods: ['DELETE'] }, 1, 'ProtocolError'],
];

test.for(rows)('%s', async ([, answers, call, retry, times, failure]) => {
  for (const middleware of [false, true]) {
    const server = await startServer((_request, response) =>
      answers[Math.min(server.seen.length, answers.length) - 1]?.(response),
    );
    const client = clientOf(server.url, { retry: { minimumDelay: 0, maximumDelay: 50, ...retry } });
    if (middleware) client.http.use({ onRequest: () => undefined });
    if (failure === undefined) await call(client);
    else expect(await errorOf(call(client))).toMatchObject({ name: expect.stringContaining(failure) });
    expect(server.seen).toHaveLength(times);
    for (const { body, headers } of server.seen) {
      expect(body).toEqual(server.seen[0]?.body);
      expect(headers.authorization).toBe(server.seen[0]?.headers.authorization);
    }
  }
});

test('a redirect to another origin is an error, and nothing reaches its target', async () => {
  const target = await startServer((_request, response) => voice(response));
  const server = await startServer((_request, response) => moved(`${target.url}/?token=1`)(response));
  for (const call of [get, say]) {
    const error = (await errorOf(call(clientOf(server.url)))) as ProtocolError;
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error.message).toContain(target.url);
    expect(error.message).not.toContain('token');
    expect(error.status).toBe(307);
  }
  expect(target.seen).toEqual([]);
});

test('a POST to a port that refuses is repeated if it may be without being billed', async () => {
  let tries = 0;
  const counting: Fetch = (...args) => {
    tries += 1;
    return fetch(...args);
  };
  const options = { fetch: counting, retry: { unbilled: true, minimumDelay: 0 } };
  const error = await errorOf(say(clientOf('http://127.0.0.1:2', options)));
  expect(error).toMatchObject({ name: 'ConnectionError', perhapsBilled: false });
  expect(tries).toBe(3);
});

test('an error says whether the call was perhaps billed', async () => {
  const server = await startServer((_request, response) => answer(response));
  const { speech } = clientOf(server.url, { timeouts: { headers: 200 } });
  let answer: Answer = () => undefined;
  const perhapsBilled = async (next: Answer, fields = {}) => {
    answer = next;
    return ((await errorOf(speech.create({ text: 'Hi.', format: 'pcm', ...fields }))) as SpeechError)
      .perhapsBilled;
  };
  expect(await perhapsBilled(audio, { sample_rate: 1 })).toBe(false);
  for (const code of [400, 402, 429]) expect(await perhapsBilled(status(code))).toBe(false);
  for (const next of [status(500), reset, () => undefined, moved('/'), status(206)]) {
    expect(await perhapsBilled(next)).toBe(true);
  }
});

test('the deadline of a JSON answer covers the retries', async () => {
  const server = await startServer((_request, response) => status(503, { 'retry-after': '5' })(response));
  const client = clientOf(server.url, { timeouts: { total: 300 } });
  expect(await errorOf(get(client))).toMatchObject({ name: 'TimeoutError', phase: 'total' });
});
