import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { ConnectionError, NotFoundError, ProtocolError, RequestError, SpeechError } from '../../src/index.ts';
import type { Fetch } from '../../src/options.ts';
import type { SpeechRequest } from '../../src/request-check.ts';
import { clientOf, errorOf, tone, voiceOf } from '../../src/testing/samples.ts';
import { sendJson, startServer } from '../../src/testing/start-server.ts';

// What a program passes by mistake, and what a fetch of one's own may do.

type Client = ReturnType<typeof clientOf>;
const voice = voiceOf('voice');

/** A value that the compiler would refuse. */
const wrong = <Type>(value: unknown): Type => value as Type;

const circular: Record<string, unknown> = { text: 'Round.' };
circular.self = circular;

test.each([
  ['undefined', undefined],
  ['null', null],
  ['a text', 'Hello.'],
  ['a circular one', circular],
  ['a circular one with binary', { ...circular, references: [{ audio: tone(), text: 'x' }] }],
  ['one with a BigInt', { text: 'Hello.', max_new_tokens: 5n }],
  ['one with a Date', { text: 'Hello.', reference_id: new Date(0) }],
  ['one with a Date beside binary', { text: 'x', references: [{ audio: tone(), text: new Date(0) }] }],
  ['one with a function', { text: () => 'Hello.' }],
  ['a text with a lone surrogate', { text: 'half \ud83d' }],
  ['NaN', { text: 'Hello.', temperature: Number.NaN }],
  ['Infinity', { text: 'Hello.', prosody: { speed: Number.POSITIVE_INFINITY } }],
  [
    'one that throws when it is read',
    {
      get text() {
        throw new Error('no text today');
      },
    },
  ],
])('speech refuses %s before it is sent', async (_name, request) => {
  const server = await startServer((_request, response) => response.end(tone()));
  const { speech } = clientOf(server.url);
  for (const call of [
    () => speech.create(wrong<SpeechRequest>(request)),
    () => speech.streamWithTimestamps(wrong<SpeechRequest>(request)),
  ]) {
    const error = await errorOf(call());
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({ code: 'request' });
  }
  expect(server.seen).toEqual([]);
});

test.each([
  [
    { model: 'tts-1', voice: 'alloy', input: 'Hi.', response_format: 'mp3' },
    /unknown field input; use text.*voice; use reference_id.*response_format; use format/,
  ],
  [{ text: 'Hi.', voice: 'alloy' }, /^unknown field voice; use reference_id$/],
  [{ text: 5 }, /^text must be a string: what is to be spoken$/],
  [{ text: ['Hi.'] }, /^text must be a string/],
  [{ text: null }, /^text must be a string/],
  [{}, /^text is missing; pass what is to be spoken$/],
  [{ text: 'Hi.', reference_id: '' }, /^reference_id is empty/],
])('%j is refused with the field that was meant', async (request, words) => {
  const server = await startServer((_request, response) => response.end(tone()));
  const error = await errorOf(clientOf(server.url).speech.create(wrong<SpeechRequest>(request)));
  expect(error).toBeInstanceOf(RequestError);
  expect((error as Error).message).toMatch(words);
  expect(server.seen).toEqual([]);
});

const newVoice = { type: 'tts', title: 'Mine', train_mode: 'fast', visibility: 'private' };

test.each([
  [
    'references',
    (client: Client) =>
      client.speech.create(wrong<SpeechRequest>({ text: 'x', references: [{ audio: 'a.wav', text: 'x' }] })),
  ],
  ['audio', (client: Client) => client.transcriptions.create(wrong({ audio: 'interview.mp3' }))],
  ['voices', (client: Client) => client.models.create(wrong({ ...newVoice, voices: ['sample.wav'] }))],
  ['voices', (client: Client) => client.models.create(wrong({ ...newVoice, voices: 'sample.wav' }))],
  [
    'voices',
    (client: Client) => client.models.create(wrong({ ...newVoice, voices: [tone(), 'sample.wav'] })),
  ],
  [
    'cover_image',
    (client: Client) => client.models.create(wrong({ ...newVoice, voices: [tone()], cover_image: 'a.png' })),
  ],
  ['cover_image', (client: Client) => client.models.update('mine', wrong({ cover_image: 'a.png' }))],
])('a path as %s is refused, with what to do instead', async (field, call) => {
  const server = await startServer((_request, response) => sendJson(response, voice));
  const error = await errorOf(call(clientOf(server.url)));
  expect(error).toBeInstanceOf(RequestError);
  expect(error).toMatchObject({ field, message: expect.stringContaining('read the file first') });
  expect(server.seen).toEqual([]);
});

test.each([
  ['undefined', undefined],
  ['a text', './interview.mp3'],
  ['no audio', {}],
  ['a path', { audio: './interview.mp3' }],
  ['several files', { audio: [tone(), tone()] }],
  ['an empty file', { audio: new Uint8Array() }],
  ['a circular one', { audio: tone(), language: circular }],
])('a transcription refuses %s before it is sent', async (_name, request) => {
  const server = await startServer((_request, response) =>
    sendJson(response, { text: '', duration: 1, segments: [] }),
  );
  const error = await errorOf(clientOf(server.url).transcriptions.create(wrong(request)));
  expect(error).toBeInstanceOf(RequestError);
  expect(server.seen).toEqual([]);
});

const byId: Record<string, (client: Client, id: string) => Promise<unknown>> = {
  'models.get': ({ models }, id) => models.get(id),
  'models.delete': ({ models }, id) => models.delete(id),
  'models.update': ({ models }, id) => models.update(id, { title: 'x' }),
  'models.waitUntilTrained': ({ models }, id) => models.waitUntilTrained(id),
};

test.each(Object.entries(byId))('%s refuses an id that cannot be in a path', async (_name, call) => {
  const server = await startServer((_request, response) => sendJson(response, voice));
  for (const id of [undefined, null, '', '.', '..', 5, {}, [], Number.NaN, 'half \ud83d']) {
    const error = await errorOf(call(clientOf(server.url), wrong(id)));
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({ field: 'id' });
  }
  expect(server.seen).toEqual([]);
});

test.each([null, '', '..', 5, 'half \ud83d'])('a wallet refuses the user %s', async (id) => {
  const server = await startServer((_request, response) => sendJson(response, {}));
  const { wallet } = clientOf(server.url);
  expect(await errorOf(wallet.getApiCredit(wrong(id)))).toBeInstanceOf(RequestError);
  expect(await errorOf(wallet.getPackage(wrong(id)))).toBeInstanceOf(RequestError);
  expect(server.seen).toEqual([]);
});

test.each(['a/b', 'a?b', 'a#b', '%2e%2e', 'a b', '故', '../x'])(
  'the id %s stays one part of the path',
  async (id) => {
    const server = await startServer((_request, response) => sendJson(response, voice));
    await clientOf(server.url).models.get(id);
    expect(decodeURIComponent(server.seen[0]?.url.slice('/model/'.length) ?? '')).toBe(id);
  },
);

test.each([
  ['null', null],
  ['a text', 'title'],
  ['nothing', undefined],
  ['a circular one', circular],
  ['a list', [1]],
])('an update refuses %s', async (_name, changes) => {
  const server = await startServer((_request, response) => response.end());
  expect(await errorOf(clientOf(server.url).models.update('voice', wrong(changes)))).toBeInstanceOf(
    RequestError,
  );
  expect(server.seen).toEqual([]);
});

test.each([
  ['page 0', { page_number: 0 }],
  ['half a page', { page_number: 1.5 }],
  ['NaN', { page_size: Number.NaN }],
  ['an object as a tag', { tag: { name: 'x' } }],
  ['a title that is null', { title: null }],
  ['a tag that is undefined', { tag: [undefined] }],
  ['a query of the platform', new URLSearchParams({ title: 'mine' })],
  ['a text', 'mine'],
])('a list refuses %s', async (_name, filters) => {
  const server = await startServer((_request, response) =>
    sendJson(response, { total: 0, items: [], has_more: false }),
  );
  expect(await errorOf(clientOf(server.url).models.list(wrong(filters)))).toBeInstanceOf(RequestError);
  expect(server.seen).toEqual([]);
});

const fetches: readonly (readonly [string, () => unknown, typeof SpeechError])[] = [
  [
    'throws',
    () => {
      throw new Error('no network');
    },
    ConnectionError,
  ],
  ['rejects with nothing', () => Promise.reject(undefined), ConnectionError],
  ['returns nothing', () => undefined, ProtocolError],
  ['resolves to an empty object', async () => ({}), ProtocolError],
  [
    'resolves to a body that was read',
    async () => {
      const response = new Response('{}', { headers: { 'content-type': 'audio/pcm' } });
      await response.text();
      return response;
    },
    ProtocolError,
  ],
  [
    'resolves to a body that is locked',
    async () => {
      const response = new Response('{}', { headers: { 'content-type': 'audio/pcm' } });
      response.body?.getReader();
      return response;
    },
    ProtocolError,
  ],
  [
    'resolves to a body that throws',
    async () =>
      new Response(
        new ReadableStream({
          pull() {
            throw new Error('gone');
          },
        }),
        { headers: { 'content-type': 'audio/pcm' } },
      ),
    ConnectionError,
  ],
  [
    'resolves to a body of texts',
    async () =>
      new Response(
        wrong<BodyInit>(
          new ReadableStream({
            pull(controller) {
              controller.enqueue('text');
              controller.close();
            },
          }),
        ),
        { headers: { 'content-type': 'audio/pcm' } },
      ),
    ProtocolError,
  ],
  ['resolves to the error of a network', async () => Response.error(), ConnectionError],
];

test.each(fetches)(
  'a fetch that %s is asked once and gives an error of the family',
  async (_name, answer, kind) => {
    const fetch = vi.fn(answer);
    const { speech, transcriptions } = clientOf('http://127.0.0.1:9', {
      fetch: wrong<Fetch>(fetch),
      concurrency: 1,
    });
    const read = async () => (await speech.create({ text: 'Hello.', format: 'pcm' })).bytes();
    expect(await errorOf(read())).toBeInstanceOf(kind);
    expect(await errorOf(transcriptions.create({ audio: tone() }))).toBeInstanceOf(SpeechError);
    expect(fetch).toHaveBeenCalledTimes(2);
  },
);

test.each([
  [
    'throws',
    () => {
      throw new Error('no tracer');
    },
  ],
  ['gives nothing', () => undefined],
  ['gives no traceparent', () => 'trace me'],
  ['gives two lines', () => 'a\r\nb'],
])('a trace that %s starts a trace of its own', async (_name, traceparent) => {
  const server = await startServer((_request, response) => response.end(tone()));
  const { speech } = clientOf(server.url);
  const audio = await speech.create({ text: 'Hello.', format: 'pcm' }, { trace: wrong({ traceparent }) });
  await audio.bytes();
  expect(server.seen[0]?.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
  expect(audio.traceId).toMatch(/^[0-9a-f]{32}$/);
});

test('isInstance works as a function of its own', async () => {
  const server = await startServer((_request, response) => response.writeHead(404).end());
  const error = await errorOf(clientOf(server.url).models.get('voice'));
  const { isInstance } = NotFoundError;
  const { isInstance: isSpeechError } = SpeechError;
  expect([error].some(NotFoundError.isInstance)).toBe(true);
  expect([isInstance(error), isInstance(new Error('x')), isSpeechError(error)]).toEqual([true, false, true]);
  for (const value of [undefined, null, 5, 'x', {}]) expect(isSpeechError(value)).toBe(false);
});

test.each([
  [
    'a promise',
    Promise.resolve(new Blob(['RIFF'])),
    /^references\.0\.audio cannot be a Promise; await it first$/,
  ],
  ['a stream', new Blob(['RIFF']).stream(), /^references\.0\.audio cannot be a stream; read it to its end/],
  [
    'a stream of Node',
    Readable.from([tone()]),
    /^references\.0\.audio cannot be a stream; read it to its end/,
  ],
])('%s as a sample is refused, with what to do instead', async (_name, audio, words) => {
  const server = await startServer((_request, response) => response.end(tone()));
  const request = { text: 'Hello.', references: [{ audio, text: 'A sample.' }] };
  const error = (await errorOf(clientOf(server.url).speech.create(wrong<SpeechRequest>(request)))) as Error;
  expect(error).toBeInstanceOf(RequestError);
  expect(error.message).toMatch(words);
  expect(server.seen).toEqual([]);
});

test('a rate that is a text is shown as one', async () => {
  const call = clientOf('http://127.0.0.1:9').speech.create(
    wrong<SpeechRequest>({ text: 'Hello.', sample_rate: '44100' } as const),
  );
  expect(((await errorOf(call)) as Error).message).toMatch(/^sample_rate "44100" is not available for mp3/);
});
