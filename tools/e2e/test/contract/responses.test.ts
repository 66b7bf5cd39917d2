import { ApiError, createSpeechClient, RequestError } from '@speech-api/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryOf } from './arbitrary-of.ts';
import { type CallInput, callOf, inputsOf } from './calls.ts';
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

const inputs = new Map<string, readonly CallInput[]>();

/** Calls with the first input that the client sends; a rule beyond the schemas may refuse some of them. */
async function perform(operationId: string): Promise<unknown> {
  const [input, ...others] = inputs.get(operationId) ?? fc.sample(inputsOf(operationId), 100);
  if (!input) throw new Error(`The client refused every input of ${operationId}`);
  inputs.set(operationId, [input, ...others]);
  return callOf(operationId)(client, input).then(undefined, (error) => {
    if (!RequestError.isInstance(error)) throw error;
    inputs.set(operationId, others);
    return perform(operationId);
  });
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

test('every success and the errors of every operation are among them', () => {
  expect(successes).toHaveLength(operations.length + 1);
  expect(new Set(errors.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

test.each(successes.filter(({ contents }) => contents[json]))(
  '$operationId: a JSON answer of $status arrives as it is',
  async ({ operationId, status, contents }) => {
    await fc.assert(
      fc.asyncProperty(valuesOf(contents[json] ?? {}), async (value) => {
        answer = () => new Response(JSON.stringify(value), { status, headers: { 'content-type': json } });
        expect(await perform(operationId)).toEqual(JSON.parse(JSON.stringify(value)));
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
        const error: unknown = await perform(operationId).then(
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
