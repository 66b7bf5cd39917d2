import { ApiError, createSpeechClient, type SpeechClient } from '@speech-api/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryOf } from './arbitrary-of.ts';
import { operations, type Schema } from './specification.ts';

// Each documented answer in JSON arrives as what its schema says: nothing lost, nothing changed, and errors with the
// complaints that came.

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

test.each(errors)(
  '$operationId: an answer of $status is an error with its body and issues',
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
  },
);
