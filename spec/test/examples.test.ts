import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../read.ts';
import { isObject } from '../read.ts';
import { find, follow, readDocument, schemaCompiler, walk } from './documents.ts';

const document = readDocument('openapi.json');
const compile = schemaCompiler(document);

interface Sample {
  readonly schema: string;
  readonly name: string;
  readonly value: Json;
}

const ofSchemas = [...walk(document)]
  .filter(([pointer, object]) => isSchemaPlace(pointer) && Array.isArray(object.examples))
  .flatMap(([schema, object]) => samplesOf(schema, object.examples));

const ofParameters = [...walk(find(document, '/components/parameters'), '/components/parameters')]
  .filter(([, object]) => object.example !== undefined && object.schema !== undefined)
  .map(([pointer, object]) => ({
    schema: `${pointer}/schema`,
    name: 'example',
    value: object.example ?? null,
  }));

const ofMediaTypes = [...walk(document)]
  .filter(([, object]) => isObject(object.schema) && isObject(object.examples))
  .flatMap(([pointer, object]) =>
    Object.entries(object.examples ?? {})
      .map(([name, example]) => ({ name, example: objectOf(follow(document, example)) }))
      .filter(({ example }) => example['x-file'] === undefined)
      .map(({ name, example }) => ({
        schema: `${pointer}/schema`,
        name,
        value: valueOfExample(example),
      })),
  );

describe.each([
  ['schemas', ofSchemas, 150],
  ['parameters', ofParameters, 15],
  ['media types', ofMediaTypes, 30],
] as const)('the examples of %s', (_kind, samples: readonly Sample[], atLeast) => {
  test('are found', () => {
    expect(samples.length).toBeGreaterThan(atLeast);
  });

  test.each(samples)('are valid: $schema $name', ({ schema, value }) => {
    const validate = compile(schema);
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
  });
});

describe('the example of the event stream', () => {
  const media = '/paths/~1v1~1tts~1stream~1with-timestamp/post/responses/200/content/text~1event-stream';
  const text = String(objectOf(find(document, `${media}/examples/streamOfTwoChunks`)).serializedValue);
  const events = text
    .trimEnd()
    .split('\n\n')
    .map((event) => Object.fromEntries(event.split('\n').map((line) => line.split(/: (.*)/s, 2))));

  test('is made of events that itemSchema allows', () => {
    const validate = compile(`${media}/itemSchema`);
    expect(events.map((event) => validate(event))).toEqual([true, true, true]);
  });

  test('carries payloads that SpeechStreamEvent allows', () => {
    const validate = compile('/components/schemas/SpeechStreamEvent');
    expect(events.map((event) => validate(JSON.parse(event.data ?? '')))).toEqual([true, true, true]);
    expect(validate({ ...JSON.parse(events[0]?.data ?? ''), chunk_seq: '0' })).toBe(false);
  });
});

describe('the examples of audio', () => {
  const content = objectOf(find(document, '/paths/~1v1~1tts/post/responses/200/content'));
  const files = Object.entries(content).flatMap(([mediaType, media]) =>
    Object.values(objectOf(objectOf(media).examples ?? {})).map((example) => ({
      mediaType,
      file: String(objectOf(follow(document, example))['x-file']),
    })),
  );
  const beginnings: Readonly<Record<string, RegExp>> = {
    'audio/mpeg': /^\xff[\xe0-\xff]/,
    'audio/wav': /^RIFF....WAVEfmt /s,
    'audio/ogg': /^OggS/,
    // Without a header; a pause at the beginning.
    'audio/pcm': /^\0\0/,
  };

  test('are there for each format', () => {
    expect(files.map(({ mediaType }) => mediaType)).toEqual(Object.keys(beginnings));
  });

  test.each(files)('$file is a small file of $mediaType beside the document', ({ mediaType, file }) => {
    const bytes = readFileSync(new URL(`../dist/${file}`, import.meta.url));
    expect(bytes.toString('latin1')).toMatch(beginnings[mediaType] ?? /^$/);
    expect(bytes.length).toBeGreaterThan(3000);
    expect(bytes.length).toBeLessThan(20_000);
  });
});

function isSchemaPlace(pointer: string): boolean {
  return /^\/components\/(schemas|parameters|headers)\//.test(pointer) && !pointer.includes('/examples');
}

function samplesOf(schema: string, examples: Json | undefined): Sample[] {
  const list = Array.isArray(examples) ? examples : [];
  return list.map((value, index) => ({ schema, name: `examples/${index}`, value }));
}

function valueOfExample(example: Json): Json {
  const { value } = objectOf(example);
  if (value === undefined) throw new Error('An example has no value.');
  return value;
}

function objectOf(value: Json): JsonObject {
  if (!isObject(value)) throw new TypeError('Not an object.');
  return value;
}
