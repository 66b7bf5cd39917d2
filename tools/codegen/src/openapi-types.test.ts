import { beforeAll, describe, expect, test } from 'vitest';
import { generateOpenApiTypes } from './openapi-types.ts';
import { smallDocument } from './small-document.ts';
import { formatTypeScript } from './typescript.ts';

const generate = async (document = smallDocument()) => formatTypeScript(await generateOpenApiTypes(document));

/** The small document after a change of its text. */
function changed(from: string, to: string) {
  const text = JSON.stringify(smallDocument());
  expect(text).toContain(from);
  return JSON.parse(text.replaceAll(from, to));
}

describe('the generated types', () => {
  let types = '';

  beforeAll(async () => {
    types = await generate();
  });

  test('let a field with a default be left out', () => {
    expect(types).toContain('loudness?: number;');
    expect(types).toContain('text: string;');
  });

  test('follow a renamed field', async () => {
    const renamed = await generate(changed('"loudness"', '"volume"'));
    expect(renamed).toContain('volume?: number;');
    expect(renamed).not.toContain('loudness');
  });

  test('show a changed default', async () => {
    expect(types).toContain('@default 0.5');
    expect(await generate(changed('"default":0.5', '"default":0.75'))).toContain('@default 0.75');
  });

  test('show an empty default as an empty string', () => {
    expect(types).toContain("@default ''");
  });

  test('keep a field that is called like a keyword', () => {
    expect(types).toContain('example?: string;');
  });

  test('take bytes in requests', () => {
    expect(types).toContain('Sample: BinaryInput;');
    expect(types).toContain("samples: components['schemas']['Sample'][][];");
    expect(types).toContain("import type { BinaryInput, BinaryOutput } from '../binary.ts';");
  });

  test('give bytes in responses', () => {
    expect(types).toContain('Sound: BinaryOutput;');
    expect(types).toContain("'audio/wav': components['schemas']['Sound'];");
  });

  test('import only what they use', async () => {
    const withoutBinary = await generate(changed('"x-binary":true', '"x-other":true'));
    expect(withoutBinary).toContain('Sample: string;');
    expect(withoutBinary).not.toContain('BinaryOutput');
  });

  test('type an item of a stream by its payload', () => {
    expect(types).toContain("'text/event-stream': components['schemas']['Piece'];");
  });

  test('type an item of a stream by its schema where it has no payload', () => {
    expect(types).toContain("'application/jsonl': components['schemas']['Piece'];");
    expect(types).not.toContain('unknown;\n              };');
  });

  test('keep the names of an open enum beside any string', () => {
    expect(types).toContain("Voice: ('anna' | 'ben') | (string & {});");
  });

  test('close an enum in requests and open it in responses', () => {
    expect(types).toContain("Mood: 'calm' | 'glad';");
    expect(types).toContain("state: ('done' | 'failed') | (string & {});");
    expect(types).toContain("mood?: components['schemas']['Mood'];");
    expect(types).toContain("mood?: components['schemas']['Mood'] | (string & {});");
    expect(types).toContain("moods: (components['schemas']['Mood'] | (string & {}))[];");
  });

  test('keep the branches of a request apart', () => {
    expect(types).toMatch(/One: \{[^}]*samples\?: never;/);
    expect(types).toMatch(/Many: \{[^}]*sample\?: never;/);
  });

  test('take the words of a reference from what it names', () => {
    expect(types.match(/@description How it sounds\./g)).toHaveLength(2);
    expect(types).toContain('@description How it was said.');
  });
});
