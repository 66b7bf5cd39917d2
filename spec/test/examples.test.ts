import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../read.ts';
import { isObject } from '../read.ts';
import { find, follow, readDocument, schemaCompiler } from './documents.ts';

const document = readDocument('openapi.json');
const compile = schemaCompiler(document);

// Examples of schemas, parameters and media types are validated by the linter, those of headers by our own lint rule.

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

function objectOf(value: Json): JsonObject {
  if (!isObject(value)) throw new TypeError('Not an object.');
  return value;
}
