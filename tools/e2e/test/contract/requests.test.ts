import { createSpeechClient, RequestError } from '@speech-api/client';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { arbitraryOf } from './arbitrary-of.ts';
import { callOf, inputsOf } from './calls.ts';
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

const contentTypes = new Set<string>();

test.each(operations)('$operationId sends nothing that its specification refuses', async (operation) => {
  const { operationId } = operation;
  answer = answers[operationId] ?? (() => successOf(operationId));
  const call = callOf(operationId);
  let refused = 0;
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(inputsOf(operationId), async (input) => {
      sent.length = 0;
      try {
        await call(client, input);
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
});

afterAll(() => {
  // All the ways in which each body can travel were seen.
  expect([...contentTypes].filter((name) => name.startsWith('updateModel'))).toHaveLength(4);
  expect([...contentTypes].filter((name) => name.startsWith('createSpeech'))).toHaveLength(2);
  expect([...contentTypes].filter((name) => name.startsWith('createTranscription'))).toHaveLength(2);
});
