import { ApiError, createSpeechClient, type SpeechClient } from '@speech-api/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryOf } from './arbitrary-of.ts';
import { operations, type Schema } from './specification.ts';

// Each documented answer arrives as what its schema says: nothing lost, nothing changed, and errors as the class of
// their status with the complaints that came.

let answer = (): Response => new Response();
const client = createSpeechClient({
  apiKey: 'test-key',
  baseUrl: 'http://speech.test',
  retry: { retries: 0 },
  fetch: async () => answer(),
});

const request = { text: 'Hello.', format: 'pcm' } as const;
const calls: Record<string, (client: SpeechClient) => PromiseLike<unknown>> = {
  createSpeech: async ({ speech }) => (await speech.create(request)).bytes(),
  streamSpeechWithTimestamps: async ({ speech }) => (await speech.streamWithTimestamps(request)).collect(),
  createTranscription: ({ transcriptions }) => transcriptions.create({ audio: new Uint8Array(10) }),
  listModels: ({ models }) => models.list(),
  createModel: ({ models }) =>
    models.create({
      type: 'tts',
      title: 'Voice',
      train_mode: 'fast',
      voices: new Uint8Array(10),
      visibility: 'private',
    }),
  getModel: ({ models }) => models.get('voice'),
  updateModel: ({ models }) => models.update('voice', { title: 'New' }),
  deleteModel: ({ models }) => models.delete('voice'),
  getApiCredit: ({ wallet }) => wallet.getApiCredit(),
  getPackage: ({ wallet }) => wallet.getPackage(),
};

function callOf(operationId: string): PromiseLike<unknown> {
  const call = calls[operationId];
  if (!call) throw new Error(`no call of ${operationId}`);
  return call(client);
}

function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  return arbitraryOf(schema, 'as base64');
}

const documented = operations.flatMap(({ operationId, responses }) =>
  Object.entries(responses).map(([status, contents]) => ({ operationId, status: Number(status), contents })),
);
const successes = documented.filter(({ status }) => status < 300);
const errors = documented.filter(({ status }) => status >= 400);
const json = 'application/json';

const classes: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  402: 'InsufficientCreditError',
  403: 'PermissionDeniedError',
  404: 'NotFoundError',
  413: 'PayloadTooLargeError',
  415: 'UnsupportedMediaTypeError',
  422: 'InvalidRequestError',
  429: 'TooManyRequestsError',
};

test('all of them are here', () => {
  expect(successes).toHaveLength(operations.length + 1);
  expect(errors.length).toBeGreaterThan(60);
});

test.each(successes.filter(({ contents }) => contents[json]))(
  '$operationId: a JSON answer of $status arrives as it is',
  async ({ operationId, status, contents }) => {
    await fc.assert(
      fc.asyncProperty(valuesOf(contents[json] ?? {}), async (value) => {
        answer = () => new Response(JSON.stringify(value), { status, headers: { 'content-type': json } });
        expect(await callOf(operationId)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 60 },
    );
  },
);

test.each(successes.filter(({ contents }) => Object.keys(contents).length === 0))(
  '$operationId: an empty answer of $status is a success',
  async ({ operationId, status }) => {
    answer = () => new Response(null, { status });
    expect(await callOf(operationId)).toBeUndefined();
  },
);

const audioTypes = successes.flatMap(({ operationId, contents }) =>
  Object.keys(contents)
    .filter((type) => type.startsWith('audio/'))
    .map((type) => ({ operationId, type })),
);

test.each(audioTypes)('$operationId: $type arrives byte by byte', async ({ type }) => {
  const format = ({ 'audio/mpeg': 'mp3', 'audio/ogg': 'opus', 'audio/wav': 'wav' } as const)[type] ?? 'pcm';
  const first = { mp3: 0xff, opus: 0x4f, wav: 0x52, pcm: 0 }[format];
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 5000, maxLength: 5000 }), async (bytes) => {
      bytes[0] = first;
      answer = () => new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } });
      const audio = await client.speech.create({ text: 'Hello.', format });
      expect(audio.contentType).toBe(type);
      expect(Buffer.compare(await audio.bytes(), bytes)).toBe(0);
    }),
    { numRuns: 20 },
  );
});

/** The payload of section 2.4, which the specification puts into the data of each event. */
interface WireEvent {
  readonly audio_base64: string;
  readonly chunk_seq: number;
  readonly alignment: { segments: { text: string }[] } | null;
}

test('streamSpeechWithTimestamps: events of its schema arrive as audio and alignments', async () => {
  const schema: Schema = { $ref: '#/components/schemas/SpeechStreamEvent' };
  const events = fc.array(valuesOf(schema) as fc.Arbitrary<WireEvent>, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(events, async (list) => {
      const body = list.map((event) => `event: message\ndata: ${JSON.stringify(event)}\n\n`).join('');
      answer = () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      const stream = await client.speech.streamWithTimestamps(request);
      const audio: Uint8Array[] = [];
      const alignments: unknown[] = [];
      for await (const event of stream) {
        if (event.type === 'audio-chunk') audio.push(event.audio);
        if (event.type === 'alignment-update')
          alignments.push(event.alignment.segments.map(({ text }) => text));
      }
      expect(Buffer.concat(audio)).toEqual(
        Buffer.concat(list.map(({ audio_base64 }) => Buffer.from(audio_base64, 'base64'))),
      );
      expect(alignments).toEqual(
        list.flatMap(({ alignment }) => (alignment ? [alignment.segments.map(({ text }) => text)] : [])),
      );
    }),
    { numRuns: 60 },
  );
});

test.each(errors)(
  '$operationId: an answer of $status is an error of its class',
  async ({ operationId, status, contents }) => {
    const schema = contents[json];
    expect(schema).toBeDefined();
    await fc.assert(
      fc.asyncProperty(valuesOf(schema ?? {}), async (value) => {
        answer = () => new Response(JSON.stringify(value), { status, headers: { 'content-type': json } });
        const error: unknown = await callOf(operationId).then(
          () => undefined,
          (failure: unknown) => failure,
        );
        expect(ApiError.isInstance(error)).toBe(true);
        expect(error).toMatchObject({ status, operationId });
        const plain = JSON.parse(JSON.stringify(value));
        expect(error).toMatchObject({ body: plain, issues: Array.isArray(plain) ? plain : [] });
      }),
      { numRuns: 10 },
    );
    answer = () => new Response('', { status });
    const error = await callOf(operationId).then(undefined, (failure: unknown) => failure);
    expect(error).toMatchObject({ name: classes[status] ?? 'ServerError' });
  },
);
