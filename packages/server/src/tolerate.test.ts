import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { decodeUrlEncoded } from './decode/form.ts';
import { createReceiver } from './receive/receive.ts';
import { readOperations } from './spec/operations.ts';
import { loadTolerances, type ToleranceEntry } from './spec/tolerances.ts';
import { type LooseRequest, normalisers, tolerate } from './tolerate.ts';
import { createValidator, shapeForm } from './validate/validator.ts';

interface Example {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

interface TestedEntry extends ToleranceEntry {
  readonly examples: readonly { readonly given: Example; readonly becomes: Example }[];
}

const file = createRequire(import.meta.url).resolve('@speech-api/spec/tolerances.json');
const entries = JSON.parse(readFileSync(file, 'utf8')) as readonly TestedEntry[];
const cases = entries.flatMap((entry) =>
  entry.examples.map((example, index) => ({ ...entry, ...example, index })),
);
const validator = createValidator();

/** The operation an example is about, by what its pointer and its parts say. */
function operationOf(entry: TestedEntry, example: Example) {
  const id =
    example.query !== undefined
      ? 'listModels'
      : entry.pointer.includes('UpdateModel')
        ? 'updateModel'
        : entry.pointer.includes('Model')
          ? 'createModel'
          : 'createSpeech';
  const operation = readOperations().find((each) => each.id === id);
  if (!operation) throw new Error(`the document has no ${id}`);
  return operation;
}

function requestOf(entry: TestedEntry, example: Example): LooseRequest {
  const operation = operationOf(entry, example);
  const querySchema = validator.parametersSchema(operation, 'query');
  const body = JSON.parse(JSON.stringify(example.body ?? {}), (_, value) =>
    value === '<file>' ? Buffer.from('file') : value,
  );
  return {
    headers: example.headers ?? { model: 's2-pro' },
    query: shapeForm(validator.document, querySchema, decodeUrlEncoded(example.query ?? '')),
    body,
  };
}

function tolerated(entry: TestedEntry, example: Example): LooseRequest {
  const operation = operationOf(entry, example);
  return tolerate(requestOf(entry, example), {
    document: validator.document,
    headerNames: operation.parameters.filter((each) => each.in === 'header').map((each) => each.name),
    querySchema: validator.parametersSchema(operation, 'query'),
    bodySchema: operation.bodies['application/json'],
  });
}

/** A file comes as bytes in a form only. */
function encodingOf({ body }: Example): 'json' | 'form' {
  return JSON.stringify(body).includes('<file>') ? 'form' : 'json';
}

test('a lenient server drops unknown query parameters, and keeps a picture that comes as a new cover', async () => {
  const receiver = createReceiver({ lenient: true });
  const get = { method: 'GET', url: '/model?colour=red&page_size=5&tag[]=calm', headers: {} };
  const list = await receiver.receive(Object.assign(Readable.from([]), get), {});
  expect(list.query).toEqual({ page_size: 5, tag: ['calm'] });
  const credit = { ...get, url: '/wallet/self/api-credit?check_free_credit=true' };
  expect(await receiver.receive(Object.assign(Readable.from([]), credit), {})).toMatchObject({ query: {} });
  const strict = createReceiver().receive(Object.assign(Readable.from([]), get), {});
  await expect(strict).rejects.toThrow('unknown parameter `colour`');

  const form = new FormData();
  const png = Buffer.from('89504e470d0a1a0a00', 'hex');
  form.append('cover_image', new Blob([png]), 'cover.png');
  const sent = new Response(form);
  const bytes = await sent.bytes();
  const headers = { 'content-type': sent.headers.get('content-type') ?? '' };
  const patch = { method: 'PATCH', url: '/model/a', headers };
  const changed = await receiver.receive(Object.assign(Readable.from([bytes]), patch), {});
  expect(changed.body).toEqual({ cover_image: `data:image/png;base64,${png.toString('base64')}` });
  const refused = createReceiver().receive(Object.assign(Readable.from([bytes]), patch), {});
  await expect(refused).rejects.toThrow('`cover_image` must not be binary.');
});

test('has a normaliser for every tolerance of a schema, and no other', () => {
  const loosened = loadTolerances().filter((entry) => entry.refused_by === 'schema');
  expect(Object.keys(normalisers).sort()).toEqual(loosened.map((entry) => entry.id).sort());
});

test.each(cases)('$id: example $index becomes what the spec says', (entry) => {
  expect(tolerated(entry, entry.given)).toEqual(requestOf(entry, entry.becomes));
});

test.each(cases)('$id: example $index, once normalised, changes no more', (entry) => {
  expect(tolerated(entry, entry.becomes)).toEqual(requestOf(entry, entry.becomes));
});

test.each(cases.filter((entry) => entry.refused_by === 'schema'))(
  '$id: example $index is refused by a strict server in the words of the spec',
  (entry) => {
    const operation = operationOf(entry, entry.given);
    const { headers, query, body } = requestOf(entry, entry.given);
    const verdicts = [
      validator.validateParameters(operation, 'header', headers),
      validator.validateParameters(operation, 'query', query),
      ...(entry.given.body
        ? [validator.validateBody(operation, 'application/json', body, encodingOf(entry.given))]
        : []),
    ];
    const messages = verdicts
      .flatMap((verdict) => (verdict.valid ? [] : verdict.errors))
      .map((error) => error.message);
    const fixed = entry.message.split(/\{\w+\}/).toSorted((one, other) => other.length - one.length)[0] ?? '';
    expect(messages.join('\n')).toContain(fixed);
  },
);
