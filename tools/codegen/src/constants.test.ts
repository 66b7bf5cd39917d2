import { isObject, type Json, type JsonObject, SpecDocument } from '@speech-api/spec/read';
import { expect, test } from 'vitest';
import { generateConstants } from './constants.ts';
import { readSources } from './generate.ts';
import { generateOperationTable } from './tables.ts';
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

const schemas = '/components/schemas';
const settings = `${schemas}/SynthesisSettings/properties`;

test.each([
  ['a default', `${settings}/temperature/default`, 0.6, 'temperature: 0.6,'],
  [
    'the default of a schema that is referred to',
    `${schemas}/AudioFormat/default`,
    'opus',
    "format: 'opus',",
  ],
  ['a default of zero', `${settings}/chunk_length/default`, 0, 'chunk_length: 0,'],
  ['a default of null', `${settings}/chunk_length/default`, null, 'chunk_length: null,'],
  ['a range', `${settings}/chunk_length/maximum`, 400, 'chunk_length: { minimum: 100, maximum: 400 },'],
  ['a new field', `${settings}/sing`, { type: 'boolean', default: false }, "'sing',"],
  ['its default', `${settings}/sing`, { type: 'boolean', default: false }, 'sing: false,'],
  [
    'a new model',
    `${schemas}/SynthesisModel/anyOf`,
    [{ enum: ['s1', 's3'] }],
    "synthesisModels = ['s1', 's3'] as",
  ],
  ['a limit', `${settings}/text/x-limits/codePoints/maximum`, 5000, 'textCodePoints: 5000,'],
  ['a site', '/externalDocs/url', 'https://docs.mine.org/', "documentationUrl = 'https://docs.mine.org' as"],
  ['a site of an example', '/externalDocs/url', 'https://docs.mine.example', "documentationUrl = '' as"],
])('the constants follow %s', async (_name, pointer, value, code) => {
  expect(await constantsWith(pointer, value)).toContain(code);
});

test.each([
  ['a default', `${settings}/text/x-limits`, undefined, `${settings}/text/x-limits`],
  ['a format', `${schemas}/AudioFormat/x-audio-formats/opus`, undefined, 'has no sampleRates for opus'],
  [
    'the name of a media type',
    '/components/requestBodies/SynthesisBody/content',
    { 'application/cbor': {} },
    'application/cbor has no name yet',
  ],
  [
    'one limit for all bodies',
    '/components/requestBodies/SynthesisBody/x-limits/bytes/maximum',
    1000,
    'different limits',
  ],
])('%s that is missing is an error, never invented', async (_name, pointer, value, words) => {
  await expect(constantsWith(pointer, value)).rejects.toThrow(words);
});

test('does not guess which operations are billed', () => {
  expect(() => generateOperationTable(new SpecDocument(document), [])).toThrow('credit');
});
