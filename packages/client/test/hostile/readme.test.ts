import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ClientOptions, createSpeechClient, type SpeechClient } from '../../src/index.js';

/** One hostile case: the answer of the service, the call, and how it ends. */
type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;
type Call = (client: SpeechClient) => unknown;
interface Case {
  answer?: Answer;
  options?: ClientOptions & Record<string, unknown>;
  call: Call;
  /** The error's name and some of its fields; or a value that the call gives. */
  fails?: Record<string, unknown>;
  gives?: unknown;
  /** How many requests reach the service, when that matters. */
  requests?: number;
}

const pcm = new Uint8Array(Array.from({ length: 8000 }, (_, index) => (index * 37) % 251));
const json = (body: string, status = 200) => ({ status, 'content-type': 'application/json', body });
const send =
  ({ status = 200, body = '', reason = '', ...headers }: Record<string, any>): Answer =>
  (response) => {
    if (reason) response.writeHead(status, reason, headers);
    else response.writeHead(status, headers);
    response.end(body);
  };
const audio = send({ 'content-type': 'audio/pcm', body: pcm });
const events = (body: string): Answer => send({ 'content-type': 'text/event-stream', body });
const event = (fields: object) =>
  `data: ${JSON.stringify({ chunk_seq: 0, content: 'x', chunk_audio_offset_sec: 0, alignment: null, ...fields })}\n\n`;
const deep = '['.repeat(200_000) + ']'.repeat(200_000);
const page = (ids: string[]) =>
  JSON.stringify({ total: 99, has_more: true, items: ids.map((_id) => ({ _id })) });
const credit = {
  _id: 'c',
  user_id: 'u',
  credit: '1.5',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  has_phone_sha256: false,
  has_free_credit: false,
};

const say: Call = async (client) =>
  (await (await client.speech.create({ text: 'Hi.', format: 'pcm' })).bytes()).length;
const read: Call = async (client) => (await client.wallet.getApiCredit()).credit;
const hear =
  (blob: unknown): Call =>
  async (client) =>
    await client.transcriptions.create({ audio: blob as Blob });
const collect: Call = async (client) =>
  (await (await client.speech.streamWithTimestamps({ text: 'Hi.', format: 'pcm' })).collect()).audio.length;
const count: Call = async (client) => {
  let items = 0;
  for await (const _ of await client.models.list()) if ((items += 1) > 50) break;
  return items;
};
const throwing = (name: string) =>
  Object.defineProperty({}, name, {
    enumerable: true,
    get: () => {
      throw new Error('boo');
    },
  });
const middleware =
  (onResponse: (response: Response) => unknown, call = say): Call =>
  async (client) => {
    client.http.use({ onResponse: ({ response }) => onResponse(response) as any });
    return await call(client);
  };

const cases: Record<string, Case> = {
  'a page of HTML that calls itself audio': {
    answer: send({ 'content-type': 'audio/pcm', body: '<!doctype html><p>Sign in' }),
    call: say,
    fails: { name: 'ProtocolError' },
    requests: 1,
  },
  'a page of HTML': {
    answer: send({ 'content-type': 'text/html', body: '<p>Sign in' }),
    call: say,
    fails: { name: 'ProtocolError' },
    requests: 1,
  },
  'an empty success': {
    answer: send({ 'content-type': 'audio/pcm' }),
    call: say,
    fails: { name: 'ProtocolError' },
    requests: 1,
  },
  'a 204 for speech': {
    answer: send({ status: 204 }),
    call: say,
    fails: { name: 'ProtocolError' },
    requests: 1,
  },
  'a 205 for speech': {
    answer: send({ status: 205 }),
    call: say,
    fails: { name: 'ProtocolError' },
    requests: 1,
  },
  'another format than was asked for': {
    answer: send({ 'content-type': 'audio/mpeg', body: pcm }),
    call: say,
    fails: { name: 'ProtocolError' },
  },
  'half a sample at the end': {
    answer: send({ 'content-type': 'audio/pcm', body: pcm.subarray(1) }),
    call: say,
    fails: { name: 'ProtocolError' },
  },
  'a silent clip': {
    answer: send({ 'content-type': 'audio/pcm', body: new Uint8Array(2) }),
    call: say,
    fails: { name: 'ProtocolError' },
  },
  'a body shorter than its length': {
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm', 'content-length': 9000 });
      response.write(pcm, () => response.destroy());
    },
    call: say,
    fails: { name: 'ConnectionError' },
    requests: 1,
  },
  'a connection cut in the middle': {
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' });
      response.write(pcm, () => response.destroy());
    },
    call: say,
    fails: { name: 'ConnectionError' },
    requests: 1,
  },
  'silence in the middle': {
    options: { timeouts: { idle: 80 } },
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' });
      response.write(pcm);
    },
    call: say,
    fails: { name: 'TimeoutError', phase: 'idle' },
  },
  'no headers': {
    options: { timeouts: { headers: 80 } },
    answer: () => {},
    call: say,
    fails: { name: 'TimeoutError', phase: 'headers' },
  },
  'no first byte': {
    options: { timeouts: { firstByte: 80 } },
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' }).flushHeaders();
    },
    call: say,
    fails: { name: 'TimeoutError', phase: 'firstByte' },
  },
  'a 503 of a gateway': {
    answer: send({ status: 503, 'content-type': 'text/html', body: '<p>busy' }),
    call: say,
    fails: { name: 'ServerError', status: 503 },
    requests: 1,
  },
  'a 500 whose body never ends': {
    options: { timeouts: { idle: 80, total: 200 } },
    answer: (response) => {
      response.writeHead(500);
      response.write('x');
    },
    call: say,
    fails: { name: 'ServerError', status: 500 },
  },
  'a 500 with a reason outside ASCII': {
    answer: send({ status: 500, reason: 'Störung' }),
    call: say,
    fails: { name: 'ServerError', status: 500 },
  },
  'a success with a reason outside ASCII': {
    answer: send({ reason: 'Schön', 'content-type': 'audio/pcm', body: pcm }),
    call: say,
    gives: 8000,
  },
  'a redirect to another origin': {
    answer: send({ status: 302, location: 'http://localhost:1/' }),
    call: read,
    fails: { name: 'ProtocolError' },
    requests: 1,
  },
  'a redirect of a POST within the origin': {
    answer: send({ status: 307, location: '/elsewhere' }),
    call: say,
    fails: { name: 'ProtocolError' },
    requests: 1,
  },
  'retry-after of 35 days': {
    options: { retry: { maximumDelay: 40 * 86_400_000 } },
    answer: send({ status: 429, 'retry-after': `${35 * 86_400}` }),
    call: (client) => client.wallet.getApiCredit('self', { signal: AbortSignal.timeout(300) }),
    fails: { name: 'AbortError' },
    requests: 1,
  },
  'a validation list 200 000 brackets deep': {
    answer: send(json(`{"detail":${deep}}`, 422)),
    call: say,
    fails: { name: 'InvalidRequestError', status: 422 },
  },
  'a body that is not the gzip it claims': {
    answer: send({ 'content-type': 'audio/pcm', 'content-encoding': 'gzip', body: pcm }),
    call: say,
    fails: { name: 'ConnectionError' },
  },
  'JSON 200 000 brackets deep': { answer: send(json(deep)), call: read, fails: { name: 'ProtocolError' } },
  'JSON that breaks off': {
    answer: send(json('{"credit":"1')),
    call: read,
    fails: { name: 'ProtocolError' },
  },
  'JSON null': { answer: send(json('null')), call: read, fails: { name: 'ProtocolError' } },
  'JSON with a byte order mark': {
    answer: send(json(`\uFEFF${JSON.stringify(credit)}`)),
    call: read,
    gives: '1.5',
  },
  'JSON that drips for ever': {
    options: { timeouts: { total: 150 } },
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    },
    call: read,
    fails: { name: 'TimeoutError', phase: 'total' },
  },
  'a transcription without text keeps what was paid for': {
    answer: send(json('{"duration":1,"segments":[]}')),
    call: hear(new Blob(['x'])),
    fails: { name: 'ProtocolError', body: { duration: 1, segments: [] } },
    requests: 1,
  },
  'a voice model without its id keeps the body': {
    answer: send(json('{"title":"x"}')),
    call: (client) => client.models.get('a'),
    fails: { name: 'ProtocolError', body: { title: 'x' } },
  },
  'a list that repeats one page for ever': { answer: send(json(page(['a', 'b']))), call: count, gives: 2 },
  'a list of empty pages for ever': { answer: send(json(page([]))), call: count, gives: 0 },
  'an event that is not JSON': {
    answer: events('data: nonsense\n\n'),
    call: collect,
    fails: { name: 'ProtocolError' },
  },
  'an event stream without audio': {
    answer: events(event({ audio_base64: '' })),
    call: collect,
    fails: { name: 'ProtocolError' },
  },
  'an event stream with [DONE]': {
    answer: events(`${event({ audio_base64: Buffer.from(pcm).toString('base64') })}data: [DONE]\n\n`),
    call: collect,
    gives: 8000,
  },
  'an event 200 000 brackets deep': {
    answer: events(`data: {"alignment":${deep}}\n\n`),
    call: collect,
    fails: { name: 'ProtocolError' },
  },
  'a middleware that clones and reads': {
    answer: audio,
    call: middleware(async (response) => void (await response.clone().arrayBuffer())),
    gives: 8000,
    requests: 1,
  },
  'a middleware that answers with a Response of its own': {
    answer: audio,
    call: middleware((response) => new Response(response.body, response)),
    gives: 8000,
    requests: 1,
  },
  'a middleware that reads the body': {
    answer: audio,
    call: middleware(async (response) => void (await response.arrayBuffer())),
    fails: { name: expect.stringMatching(/^(TypeError|ProtocolError)$/) },
    requests: 1,
  },
  'a middleware that throws': {
    answer: audio,
    call: middleware(() => {
      throw new Error('mine');
    }),
    fails: { isSpeechError: true },
    requests: 1,
  },
  'a clone of the Response beneath': {
    answer: audio,
    call: async (client) => {
      const { response } = await client.speech.create({ text: 'Hi.', format: 'pcm' }).withResponse();
      return [
        response instanceof Response,
        new URL(response.url).pathname,
        (await response.clone().arrayBuffer()).byteLength,
      ];
    },
    gives: [true, '/v1/tts', 8000],
  },
  'a body that is read twice': {
    answer: audio,
    call: async (client) => {
      const speech = await client.speech.create({ text: 'Hi.', format: 'pcm' });
      await speech.bytes();
      return speech.bytes();
    },
    fails: { name: 'TypeError' },
  },
  'a path of two dots': {
    answer: send(json('{}')),
    call: (client) => client.http.DELETE('/model/{id}', { params: { path: { id: '..' } } }),
    fails: { name: 'RequestError' },
    requests: 0,
  },
  'a request whose field throws': {
    call: (client) => client.speech.create(throwing('text') as any),
    fails: { name: 'RequestError' },
    requests: 0,
  },
  'an option whose field throws': {
    call: (client) => client.speech.create({ text: 'Hi.' }, throwing('signal') as any),
    fails: { name: 'RequestError' },
    requests: 0,
  },
  'a Blob that never reads to its end': {
    options: { timeouts: { headers: 200, total: 400 } },
    call: (client) => {
      const blob = new Blob(['x']);
      blob.arrayBuffer = () => new Promise(() => {});
      blob.stream = () => new ReadableStream() as any;
      return client.speech.create(
        { text: 'Hi.', references: [{ audio: blob, text: 'x' }] },
        { signal: AbortSignal.timeout(1000) },
      );
    },
    fails: { isSpeechError: true },
  },
  'a path as audio': {
    call: hear('sample.wav'),
    fails: { name: 'RequestError', message: expect.stringContaining('openAudioFile') },
    requests: 0,
  },
  'a field of another service': {
    call: (client) => client.speech.create({ text: 'Hi.', voice: 'anna' } as any),
    fails: { name: 'RequestError', field: 'voice', message: expect.stringContaining('reference_id') },
    requests: 0,
  },
  'a fetch that throws an error whose message throws': {
    options: { fetch: () => Promise.reject(throwing('message')) },
    call: say,
    fails: { name: 'ConnectionError' },
  },
  'a fetch that gives no Response': {
    options: { fetch: (() => Promise.resolve({})) as any },
    call: say,
    fails: { isSpeechError: true },
  },
  'a logger that throws': {
    answer: audio,
    options: { logger: throwing('info') as any },
    call: say,
    gives: 8000,
    requests: 1,
  },
  'a key that never comes': {
    options: { apiKey: () => new Promise<string>(() => {}), timeouts: { headers: 80, queue: 80 } },
    call: say,
    fails: { isSpeechError: true },
    requests: 0,
  },
  'a key with a line break': {
    options: { apiKey: 'a\nb' },
    call: say,
    fails: { name: 'ConfigurationError' },
  },
  'a deadline that is no number': {
    options: { timeouts: { headers: Number.NaN } },
    call: say,
    fails: { name: 'ConfigurationError' },
  },
  'an option with a typing mistake': {
    options: { timeout: 5 },
    call: say,
    fails: { name: 'ConfigurationError', message: expect.stringContaining('timeouts') },
  },
};

let answer: Answer = () => {};
let requests = 0;
const server = createServer((request, response) => {
  requests += 1;
  request.resume().on('end', () => answer(response, request));
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close().closeAllConnections());
beforeEach(() => {
  requests = 0;
});

test.for(Object.entries(cases))(
  '%s',
  { timeout: 15_000 },
  async ([, { answer: given, options, call, fails, gives, requests: expected }]) => {
    answer = given ?? audio;
    const { SpeechError } = await import('../../src/index.js');
    const outcome = await (async () => {
      const { port } = server.address() as AddressInfo;
      const client = createSpeechClient({
        baseUrl: `http://127.0.0.1:${port}`,
        apiKey: 'secret-key',
        ...options,
      });
      return { value: await call(client) };
    })().catch((error: unknown) => ({ error }));
    if ('error' in outcome) {
      const { error } = outcome as { error: any };
      if (!fails) throw error;
      const { isSpeechError, ...fields } = fails;
      if (isSpeechError) expect(SpeechError.isInstance(error), String(error)).toBe(true);
      expect({ ...error, name: error.name, message: error.message }).toMatchObject(fields);
      expect(JSON.stringify(error) + error.message).not.toContain('secret-key');
    } else {
      expect(fails, `gave ${JSON.stringify((outcome as { value: unknown }).value)}`).toBeUndefined();
      expect(outcome).toEqual({ value: gives });
    }
    if (expected !== undefined) expect(requests).toBe(expected);
  },
);
