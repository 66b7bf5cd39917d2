import { readBuilt } from '@speech-api/spec/read';
import type { Tolerance } from '@speech-api/types';
import { expect, test } from 'vitest';
import { decodeUrlEncoded } from './decode.ts';
import { readOperations } from './operations.ts';
import { type LooseRequest, tolerate, withFewUnknown } from './tolerate.ts';
import { createValidator, shapeForm, synthesisRequest } from './validator.ts';

interface Example {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

interface TestedEntry extends Tolerance {
  readonly examples: readonly { readonly given: Example; readonly becomes: Example }[];
}

const entries = readBuilt('tolerances.json') as unknown as readonly TestedEntry[];
const cases = entries.flatMap((entry) =>
  entry.examples.map((example, index) => ({ ...entry, ...example, index })),
);
const { document, validate } = createValidator();

/** The operation of an example, by its pointer and its parts. */
function operationOf({ pointer }: TestedEntry, { query }: Example) {
  const ofModels = pointer.includes('UpdateModel') ? 'updateModel' : 'createModel';
  const ofBody = pointer.includes('Model') ? ofModels : 'createSpeech';
  const id = query === undefined ? ofBody : 'listModels';
  const operation = readOperations(document).find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`the document has no ${id}`);
  return { ...operation, bodySchema: operation.bodies['application/json'] };
}

function requestOf(entry: TestedEntry, example: Example): LooseRequest {
  const { parameters } = operationOf(entry, example);
  const body = JSON.parse(JSON.stringify(example.body ?? {}), (_, value) =>
    value === '<file>' ? Buffer.from('file') : value,
  );
  return {
    headers: example.headers ?? { model: 's2-pro' },
    query: shapeForm(document, parameters.query, decodeUrlEncoded(example.query ?? '')),
    body,
  };
}

function tolerated(entry: TestedEntry, example: Example): LooseRequest {
  return tolerate(requestOf(entry, example), { document, ...operationOf(entry, example) });
}

test.each(cases)('$id: example $index becomes what the spec says', (entry) => {
  expect(tolerated(entry, entry.given)).toEqual(requestOf(entry, entry.becomes));
});

test.each(cases)('$id: example $index, once normalised, changes no more', (entry) => {
  expect(tolerated(entry, entry.becomes)).toEqual(requestOf(entry, entry.becomes));
});

test.each(cases.filter((entry) => entry.refused_by === 'schema'))(
  '$id: example $index is refused by a strict server in the words of the spec',
  (entry) => {
    const { parameters, bodySchema } = operationOf(entry, entry.given);
    const { headers, query, body } = requestOf(entry, entry.given);
    // Only forms carry a file as bytes.
    const encoding = JSON.stringify(entry.given).includes('<file>') ? 'form' : 'json';
    const messages = [
      ...validate(parameters.header, headers, 'form', 'header'),
      ...validate(parameters.query, query, 'form', 'query'),
      ...(entry.given.body && bodySchema ? validate(bodySchema, body, encoding) : []),
    ].map((error) => error.message);
    const fixed = entry.message.split(/\{\w+\}/).toSorted((a, b) => b.length - a.length)[0] ?? '';
    expect(messages.join('\n')).toContain(fixed);
  },
);

test('of 60 000 fields that no schema names, only as many are checked as a refusal shows', () => {
  const unknown = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`field_${index}`, index]));
  const body = { ...unknown, text: 'Hello.', prosody: { ...unknown, speed: 1 } };
  const few = withFewUnknown(document, synthesisRequest, body) as typeof body;
  expect(few).toMatchObject({ field_0: 0, text: 'Hello.', prosody: { field_19: 19, speed: 1 } });
  expect([Object.keys(few).length, Object.keys(few.prosody).length]).toEqual([22, 21]);
});
