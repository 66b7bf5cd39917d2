import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createSpeechClient, type SpeechClient, SpeechError } from '../index.ts';
import { voiceOf } from '../testing/samples.ts';
import { startServer } from '../testing/start-server.ts';

// Each promise of the README, tested against a misbehaving service, fetch, middleware or caller.

type Answer = (response: ServerResponse) => unknown;
type Call = (client: SpeechClient) => unknown;
/** The expected error (name and some fields) or result, and the number of requests that reach the service. */
type Outcome = { readonly throws?: object; readonly gives?: unknown; readonly requests?: number };

const eventStream = { 'content-type': 'text/event-stream' };
const pcm = new Uint8Array(Array.from({ length: 8000 }, (_, index) => (index * 37) % 251));
const voices = { 'content-type': 'audio/pcm' };
const credit = { _id: 'c', user_id: 'u', credit: '1.5' };
const request = { text: 'Hi.', format: 'pcm' } as const;
/** A value that the compiler would refuse. */
const wrong = <Type>(value: unknown): Type => value as Type;

const send =
  (
    body: string | Uint8Array = '',
    headers: Record<string, string> = voices,
    status = 200,
    reason = 'OK',
  ): Answer =>
  (response) =>
    response.writeHead(status, reason, headers).end(body);
const json = (body: string, status = 200) => send(body, { 'content-type': 'application/json' }, status);
const page = (ids: string[]) =>
  json(JSON.stringify({ total: 99, has_more: true, items: ids.map((id) => voiceOf(id)) }));
const events = (fields: string) =>
  send(
    `data: {"chunk_seq":0,"content":"x","chunk_audio_offset_sec":0,${fields}}\n\ndata: [DONE]\n\n`,
    eventStream,
  );
const begin =
  (
    then: (response: ServerResponse) => unknown,
    headers: Record<string, string> = voices,
    status = 200,
  ): Answer =>
  (response) => {
    response.writeHead(status, headers).flushHeaders();
    then(response);
  };
const drip = (response: ServerResponse) => {
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};
const cut = (response: ServerResponse) => response.write(pcm, () => response.destroy());

const say: Call = async ({ speech }) => (await (await speech.create(request)).bytes()).length;
const collect: Call = async ({ speech }) =>
  (await (await speech.streamWithTimestamps(request)).collect()).audio.length;
const read: Call = async ({ wallet }) => (await wallet.getApiCredit()).credit;
const hear: Call = ({ transcriptions }) => transcriptions.create({ audio: new Blob(['x']) });
const hearTimes: Call = ({ transcriptions }) =>
  transcriptions.create({ audio: new Blob(['x']), ignore_timestamps: false });
const { visibility: _, ...lessVoice } = voiceOf('a');
const readModel: Call = ({ models }) => models.get('a');
const firstPage: Call = async ({ models }) => models.list();
const count: Call = async ({ models }) => {
  let items = 0;
  for await (const _ of models.list()) {
    items += 1;
    if (items > 50) break;
  }
  return items;
};
const through =
  (onResponse: (response: Response) => unknown): Call =>
  (client) => {
    client.http.use({ onResponse: ({ response }) => wrong<Response>(onResponse(response)) });
    return say(client);
  };
const withOptions =
  (options: object, call: Call): Call =>
  (client) =>
    call(client.with(options));

const fetching = (fetch: () => unknown) => withOptions({ fetch }, say);
const fail = () => {
  throw new Error('no network');
};
const audioOf = (source: UnderlyingDefaultSource) =>
  new Response(new ReadableStream(source), { headers: voices });
const unreached = { throws: { name: 'ConnectionError' }, requests: 0 };
const protocol = { throws: { name: 'ProtocolError' }, requests: 1 };
const event = {
  throws: { name: 'ProtocolError', message: expect.stringContaining('no credit left') },
  requests: 1,
};
const connection = { throws: { name: 'ConnectionError' }, requests: 1 };
const late = (phase: string) => ({ throws: { name: 'TimeoutError', phase } });
const whole = { gives: 8000, requests: 1 };
const html = '<!doctype html><p>Sign in';
const noBody = async () => undefined;

const reply = { text: 'x', duration: 1 };

/** The error keeps what may have been paid for as its body. */
const keeping = (body: unknown): Outcome => ({ throws: { name: 'ProtocolError', body }, requests: 1 });

/** JSON that breaks the interface. */
const malformed: readonly (readonly [name: string, call: Call, body: unknown])[] = [
  ['a transcription without text', hear, { duration: 1 }],
  ['a transcription without its duration', hear, { text: 'x', segments: [] }],
  ['a transcription whose text is a number', hear, { text: 5, duration: 1, segments: [] }],
  ['a transcription with a segment of null', hear, { ...reply, segments: [null] }],
  ['a segment whose start is a string', hear, { ...reply, segments: [{ text: 'x', start: '0', end: 1 }] }],
  ['timed segments that are missing', hearTimes, reply],
  ['a voice model without its id', readModel, { title: 'x' }],
  ['a voice model without a field that the interface requires', readModel, lessVoice],
  ['a model without a state that is waited for', ({ models }) => models.waitUntilTrained('a'), { _id: 'a' }],
  ['a list without items', firstPage, { total: 0, has_more: false }],
  ['JSON null', read, null],
  ['a credit that is a float', read, { credit: 0.1 }],
  ['a package without balance', ({ wallet }) => wallet.getPackage(), { user_id: 'u', total: 1 }],
];

type Case = readonly [name: string, answer: Answer, call: Call, outcome: Outcome];
const cases: readonly Case[] = [
  ...malformed.map(([name, call, body]): Case => [name, json(JSON.stringify(body)), call, keeping(body)]),
  ['a page of HTML', send(html, { 'content-type': 'text/html' }), say, protocol],
  ['a 204 for speech', send('', voices, 204), say, protocol],
  ['another format', send(pcm, { 'content-type': 'audio/mpeg' }), say, keeping(pcm)],
  [
    'audio that is called JSON',
    send(pcm, { 'content-type': 'application/json' }),
    say,
    { throws: { message: 'createSpeech: expected pcm audio, but got application/json', body: pcm } },
  ],
  ['a body shorter than its length', begin(cut, { ...voices, 'content-length': '9000' }), say, connection],
  ['a connection cut in the middle', begin(cut), say, connection],
  ['gzip that is none', send(pcm, { ...voices, 'content-encoding': 'gzip' }), say, connection],
  ['silence in the middle', begin((response) => response.write(pcm)), say, late('idle')],
  ['no headers', () => undefined, say, late('headers')],
  ['no first byte', begin(noBody), say, late('firstByte')],
  ['JSON that drips for ever', begin(drip, { 'content-type': 'application/json' }), read, late('total')],
  ['a 500 with a German reason', send('', {}, 500, 'Störung'), say, { throws: { name: 'ServerError' } }],
  ...['', '{"credit":"1', '{"text":"paid words","duration":NaN}', 'paid words'].map(
    (body): Case => [`the text "${body}" as JSON`, json(body), hear, keeping(body)],
  ),
  ['JSON with a byte order mark', json(`\uFEFF${JSON.stringify(credit)}`), read, { gives: '1.5' }],
  ['an error under a 200', json('{"status":402,"message":"no credit left"}'), say, event],
  ['an error under a 200 for a stream', json('{"status":402,"message":"no credit left"}'), collect, event],
  ['an error under a 200 for JSON', json('{"status":402,"message":"no credit left"}'), hear, event],
  ['a part of the audio', send(pcm, voices, 206), say, protocol],
  ['a list that repeats one page for ever', page(['a', 'b']), count, { gives: 2, requests: 2 }],
  ['a list of empty pages for ever', page([]), count, { gives: 0, requests: 1 }],
  ['an event that is not JSON', send('data: x\n\n', eventStream), collect, protocol],
  ['an event stream without audio', events('"alignment":null,"audio_base64":""'), collect, protocol],
  ['an event stream with [DONE]', events('"alignment":null,"audio_base64":"AAA="'), collect, { gives: 2 }],
  [
    'middleware that clones and reads',
    send(pcm),
    through(async (it) => void (await it.clone().bytes())),
    whole,
  ],
  ['middleware with its own Response', send(pcm), through((it) => new Response(it.body, it)), whole],
  ['middleware that reads the body', send(pcm), through(async (it) => void (await it.bytes())), protocol],
  [
    'middleware that throws, which stays what it is',
    send(pcm),
    through(() => Promise.reject(new Error('mine'))),
    { throws: { name: 'Error', message: 'mine' } },
  ],
  ['a fetch that throws', send(), fetching(fail), unreached],
  ['a fetch whose body throws', send(), fetching(async () => audioOf({ pull: fail })), unreached],
];

test.for(cases)('%s', async ([, given, call, { throws, gives, requests: expected }]) => {
  const server = await startServer((_request, response) => given(response));
  // The deadlines are long enough for a busy machine, except in cases that wait for one of them.
  const wait = throws && 'phase' in throws ? { [String(throws.phase)]: 200 } : {};
  const options = {
    baseUrl: server.url,
    apiKey: 'secret-key',
    timeouts: { idle: 1000, ...wait },
  };
  const outcome = await Promise.resolve(createSpeechClient(options))
    .then(call)
    .then(
      (value) => ({ value }),
      (error: unknown) => ({ error: error as SpeechError & { body?: unknown } }),
    );
  if ('error' in outcome) {
    const { error } = outcome;
    if (!throws) throw error;
    expect({ ...error, name: error.name, message: error.message, body: error.body }).toMatchObject(throws);
    if (error.message !== 'mine' && error.name !== 'TypeError')
      expect(SpeechError.isInstance(error)).toBe(true);
    expect(inspect(error, { showHidden: true }) + JSON.stringify(error)).not.toMatch(/secret-key|paid/);
  } else {
    expect({ value: outcome.value, throws }).toEqual({ value: gives, throws: undefined });
  }
  if (expected !== undefined) expect(server.seen).toHaveLength(expected);
});
