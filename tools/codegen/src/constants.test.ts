import { isObject, type Json, type JsonObject, SpecDocument } from '@speech-api/spec/read';
import { describe, expect, test } from 'vitest';
import { generateConstants } from './constants.ts';
import { readSources } from './generate.ts';
import { formatTypeScript } from './typescript.ts';

const document = readSources()['openapi.json'];

/** The specification with another value at one place; `undefined` takes the place away. */
function withValue(pointer: string, value: Json | undefined, node: Json = document): Json {
  const [, key, ...rest] = pointer.split('/');
  if (key === undefined) return value ?? null;
  if (!isObject(node)) throw new Error(`Nothing at ${pointer}.`);
  const { [key]: old, ...others } = node;
  if (rest.length === 0 && value === undefined) return others;
  return {
    ...node,
    [key]: rest.length === 0 ? (value ?? null) : withValue(`/${rest.join('/')}`, value, old ?? {}),
  };
}

async function constantsWith(pointer: string, value: Json | undefined): Promise<string> {
  return formatTypeScript(generateConstants(new SpecDocument(withValue(pointer, value) as JsonObject)));
}

const settings = '/components/schemas/SynthesisSettings/properties';

describe('the generated constants', () => {
  test('follow a changed default', async () => {
    expect(await constantsWith(`${settings}/temperature/default`, 0.6)).toContain('temperature: 0.6,');
  });

  test('take the default of a field from the schema it refers to', async () => {
    expect(await constantsWith('/components/schemas/AudioFormat/default', 'opus')).toContain(
      "format: 'opus',",
    );
  });

  test('lead errors to the site of the specification, and to none by a name that stands for none', async () => {
    const addressFor = (url: string) => constantsWith('/externalDocs/url', url);
    expect(await addressFor('https://docs.mine.org/')).toContain(
      "documentationUrl = 'https://docs.mine.org' as",
    );
    expect(await addressFor('https://docs.mine.example')).toContain("documentationUrl = '' as");
  });

  test('tell a default of zero, null or nothing from none', async () => {
    expect(await constantsWith(`${settings}/chunk_length/default`, 0)).toContain('chunk_length: 0,');
    expect(await constantsWith(`${settings}/chunk_length/default`, null)).toContain('chunk_length: null,');
    expect(await constantsWith(`${settings}/chunk_length/default`, undefined)).not.toMatch(
      /chunk_length: (300|null|0)/,
    );
  });

  test('follow a changed range', async () => {
    expect(await constantsWith(`${settings}/chunk_length/maximum`, 400)).toContain(
      'chunk_length: { minimum: 100, maximum: 400 },',
    );
  });

  test('take in a new field and a new model', async () => {
    const field = { type: 'boolean', description: 'Sings.', default: false };
    const withField = await constantsWith(`${settings}/sing`, field);
    expect(withField).toContain('sing: false,');
    expect(withField).toContain("'sing',");
    const models = await constantsWith('/components/schemas/SynthesisModel/anyOf', [
      { enum: ['s1', 's3'] },
      { type: 'string' },
    ]);
    expect(models).toContain("synthesisModels = ['s1', 's3'] as const");
  });

  test('follow a changed limit', async () => {
    expect(await constantsWith(`${settings}/text/x-limits/codePoints/maximum`, 5000)).toContain(
      'textCodePoints: 5000,',
    );
  });

  test('are never invented: what is missing is an error that names the place', async () => {
    const pointer = `${settings}/text/x-limits`;
    await expect(constantsWith(pointer, undefined)).rejects.toThrow(pointer);
    await expect(
      constantsWith('/components/schemas/AudioFormat/x-audio-formats/opus', undefined),
    ).rejects.toThrow('x-audio-formats has no sampleRates for opus');
  });

  test('refuse a media type that has no name', async () => {
    const body = '/components/requestBodies/SynthesisBody/content';
    await expect(constantsWith(body, { 'application/cbor': {} })).rejects.toThrow(
      'application/cbor has no name yet',
    );
  });

  test('refuse bodies with different limits', async () => {
    const pointer = '/components/requestBodies/SynthesisBody/x-limits/bytes/maximum';
    await expect(constantsWith(pointer, 1000)).rejects.toThrow('different limits');
  });
});
