import { createSpeechClient, RequestError, type SpeechClient } from '@speech-api/client';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { arbitraryOf } from './arbitrary-of.ts';
import { complaintsOf, type SentRequest } from './prism.ts';
import { operationOf, operations, type Schema } from './specification.ts';

// Whatever the client can be made to send, Prism's validators accept for its operation. The requests are made from the
// schemas of the specification; what the client refuses by a rule beyond them is not sent, and must not be everything.

const sent: SentRequest[] = [];
const answers: Record<string, () => Response> = {
  createSpeech: () => new Response('', { headers: { 'content-type': 'application/octet-stream' } }),
  streamSpeechWithTimestamps: () => new Response('', { headers: { 'content-type': 'text/event-stream' } }),
};

/** An answer that the specification allows: the client gives on no success that lacks what must be there. */
function successOf(operationId: string): Response {
  const { responses } = operationOf(operationId);
  const [status = '', contents = {}] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  const schema = contents['application/json'];
  const body = schema === undefined ? '{}' : JSON.stringify(sampleOf(schema));
  return new Response(body, { status: Number(status), headers: { 'content-type': 'application/json' } });
}

const samples = new Map<Schema, unknown>();

/** One value for each schema, the same in every run. */
function sampleOf(schema: Schema): unknown {
  if (!samples.has(schema)) {
    const [sample] = fc.sample(arbitraryOf(schema, 'as base64'), { numRuns: 1, seed: 1 });
    samples.set(schema, sample);
  }
  return samples.get(schema);
}

let answer = (): Response => new Response('{}');

const client = createSpeechClient({
  apiKey: 'test-key',
  baseUrl: 'http://speech.test',
  fetch: async (input, init) => {
    const request = new Request(input, init);
    const body = new Uint8Array(await request.arrayBuffer());
    sent.push({ method: request.method, url: new URL(request.url), headers: request.headers, body });
    return answer();
  },
});

// Asks for JSON by nobody's choice: a form and MessagePack carry the same fields.
const form = ['multipart/form-data', 'application/msgpack'] as const;
const every = ['application/json', 'application/x-www-form-urlencoded', ...form] as const;
const models = fc.constantFrom('s1', 's2-pro', 's2.1-pro', 's2.1-pro-free', undefined);
const id = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });

type Make = (client: SpeechClient) => Promise<unknown>;

const body = (operationId: string, type = 'application/msgpack') => {
  const schema = operationOf(operationId).bodies[type] as Schema;
  return arbitraryOf(schema, 'as bytes') as fc.Arbitrary<never>;
};
const query = arbitraryOf(
  { type: 'object', properties: operationOf('listModels').query },
  'as bytes',
) as fc.Arbitrary<never>;

const makers: Record<string, fc.Arbitrary<Make>> = {
  createSpeech: fc.tuple(body('createSpeech'), models).map(
    ([request, model]) =>
      async ({ speech }) =>
        (await speech.create(request, { model })).cancel(),
  ),
  streamSpeechWithTimestamps: fc.tuple(body('streamSpeechWithTimestamps'), models).map(
    ([request, model]) =>
      async ({ speech }) =>
        (await speech.streamWithTimestamps(request, { model })).cancel(),
  ),
  createTranscription: fc.tuple(body('createTranscription'), fc.constantFrom(...form)).map(
    ([request, contentType]) =>
      ({ transcriptions }) =>
        transcriptions.create(request, { contentType }),
  ),
  listModels: query.map(
    (filters) =>
      async ({ models }) =>
        models.list(filters).page(1),
  ),
  createModel: fc.tuple(body('createModel'), fc.constantFrom(...form)).map(
    ([request, contentType]) =>
      ({ models }) =>
        models.create(request, { contentType }),
  ),
  getModel: id.map(
    (given) =>
      ({ models }) =>
        models.get(given),
  ),
  updateModel: fc.tuple(id, body('updateModel'), fc.constantFrom(...every)).map(
    ([given, changes, contentType]) =>
      ({ models }) =>
        models.update(given, changes, { contentType }),
  ),
  deleteModel: id.map(
    (given) =>
      ({ models }) =>
        models.delete(given),
  ),
  getApiCredit: fc.option(id, { nil: undefined }).map(
    (user) =>
      ({ wallet }) =>
        wallet.getApiCredit(user),
  ),
  getPackage: fc.option(id, { nil: undefined }).map(
    (user) =>
      ({ wallet }) =>
        wallet.getPackage(user),
  ),
};

test('every operation of the specification is among them', () => {
  expect(Object.keys(makers).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
});

const contentTypes = new Set<string>();

test.each(Object.entries(makers))(
  '%s sends nothing that its specification refuses',
  async (operationId, maker) => {
    answer = answers[operationId] ?? (() => successOf(operationId));
    const operation = operationOf(operationId);
    let refused = 0;
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(maker, async (make) => {
        sent.length = 0;
        try {
          await make(client);
        } catch (error) {
          if (!RequestError.isInstance(error)) throw error;
          refused += 1;
          expect(sent).toEqual([]);
          return;
        }
        accepted += 1;
        expect(sent).toHaveLength(1);
        const [request] = sent as [SentRequest];
        contentTypes.add(`${operationId} ${(request.headers.get('content-type') ?? '').split(';')[0]}`);
        expect(request.method).toBe(operation.method.toUpperCase());
        expect(request.headers.get('authorization')).toBe('Bearer test-key');
        expect(await complaintsOf(operation, request)).toEqual([]);
      }),
      { numRuns: 150 },
    );
    expect(accepted).toBeGreaterThan(refused / 4);
  },
);

afterAll(() => {
  // All the ways in which each body can travel were seen.
  expect([...contentTypes].filter((name) => name.startsWith('updateModel'))).toHaveLength(4);
  expect([...contentTypes].filter((name) => name.startsWith('createSpeech'))).toHaveLength(2);
  expect([...contentTypes].filter((name) => name.startsWith('createTranscription'))).toHaveLength(2);
});
