import { expect, test } from 'vitest';
import { readOperations } from '../spec/operations.ts';
import type { DescribedError } from './describe.ts';
import { createValidator } from './validator.ts';

const validator = createValidator();
const operations = new Map(readOperations().map((operation) => [operation.id as string, operation]));

function operation(id: string) {
  const found = operations.get(id);
  if (!found) throw new Error(`no operation ${id}`);
  return found;
}

function errorsOf(value: unknown, encoding: 'json' | 'msgpack' = 'json'): readonly DescribedError[] {
  const verdict = validator.validateBody(operation('createSpeech'), 'application/json', value, encoding);
  return verdict.valid ? [] : verdict.errors;
}

const messagesOf = (value: unknown): readonly string[] => errorsOf(value).map((error) => error.message);
const audio = Buffer.from('not really audio').toString('base64');

test.each([
  [{ text: 'a' }],
  [{ text: '' }],
  [{ text: 'a', prosody: null, sample_rate: null }],
  [{ text: 'a', prosody: {}, opus_bitrate: 24_000, format: 'mp3' }],
  [{ text: 'a', reference_id: 'x', references: [{ audio, text: 'b' }] }],
  [{ text: 'a', reference_id: ['x', 'y'] }],
  [{ text: 'a', reference_id: ['x'], references: [[{ audio, text: 'b' }]] }],
])('accepts %j', (request) => {
  expect(errorsOf(request)).toEqual([]);
});

test.each([
  [{}, ['text'], 'missing', '`text` is required.'],
  [{ text: 1 }, ['text'], 'string_type', '`text` must be a string, not a number.'],
  [{ text: null }, ['text'], 'string_type', '`text` must be a string, not null.'],
  [
    { text: 'a', temperature: 2 },
    ['temperature'],
    'less_than_equal',
    '`temperature` must be at most 1, not 2.',
  ],
  [
    { text: 'a', chunk_length: 99 },
    ['chunk_length'],
    'greater_than_equal',
    '`chunk_length` must be at least 100, not 99.',
  ],
  [{ text: 'a', chunk_length: 150.5 }, ['chunk_length'], 'integer_type', 'must be an integer, not 150.5'],
  [
    { text: 'a', normalize: 'true' },
    ['normalize'],
    'boolean_type',
    '`normalize` must be a boolean, not a string.',
  ],
  [{ text: 'a', temperature: null }, ['temperature'], 'number_type', '`temperature` must not be null.'],
  [{ text: 'a', format: 'flac' }, ['format'], 'enum', 'one of wav, pcm, mp3 or opus, not "flac"'],
  [{ text: 'a', format: 'opsu' }, ['format'], 'enum', 'did you mean opus?'],
  [{ text: 'a', opus_bitrate: 32 }, ['opus_bitrate'], 'enum', '32000 instead of 32'],
  [
    { text: 'a', prosody: { speed: 3 } },
    ['prosody', 'speed'],
    'less_than_equal',
    '`prosody.speed` must be at most 2, not 3.',
  ],
  [
    { text: 'a', prosody: { sped: 1 } },
    ['prosody', 'sped'],
    'extra_forbidden',
    'did you mean `prosody.speed`?',
  ],
  [
    { text: 'a', prosody: 1 },
    ['prosody'],
    'object_type',
    '`prosody` must be an object or null, not a number.',
  ],
  [
    { text: 'a', temprature: 1 },
    ['temprature'],
    'extra_forbidden',
    'unknown field `temprature`, did you mean `temperature`?',
  ],
  [
    { text: 'a', volume_envelope: 1 },
    ['volume_envelope'],
    'extra_forbidden',
    'unknown field `volume_envelope`.',
  ],
  [{ text: 'a', references: [] }, ['references'], 'too_short', '`references` is empty.'],
  [
    { text: 'a', references: [{ audio }] },
    ['references', '0', 'text'],
    'missing',
    '`references[0].text` is required.',
  ],
  [
    { text: 'a', references: [{ audio: '!', text: 'b' }] },
    ['references', '0', 'audio'],
    'binary',
    'must be base64',
  ],
  [
    { text: 'a', references: [{ audio: '', text: 'b' }] },
    ['references', '0', 'audio'],
    'binary',
    'must not be empty',
  ],
  [{ text: 'a', reference_id: 1 }, ['reference_id'], 'string_type', '`reference_id` must be a string'],
  [
    { text: 'a', reference_id: ['x', 2] },
    ['reference_id', '1'],
    'string_type',
    '`reference_id[1]` must be a string',
  ],
  [
    { text: 'a', references: [[{ audio, text: 'b' }]] },
    ['reference_id'],
    'missing',
    '`reference_id` is required.',
  ],
  [[], [], 'object_type', 'the body must be an object'],
  ['text', [], 'object_type', 'the body must be an object, not a string.'],
  [null, [], 'object_type', 'the body must be an object'],
])('refuses %j with one issue that names the field', (request, path, type, words) => {
  const errors = errorsOf(request);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatchObject({ path, type });
  expect(errors[0]?.message).toContain(words);
});

test('judges a request by the branch it means, not by all three', () => {
  expect(messagesOf({ text: 'a', reference_id: ['x'], references: [[{ audio, txt: 'b' }]] })).toEqual([
    '`references[0][0].text` is required.',
    'unknown field `references[0][0].txt`, did you mean `references[0][0].text`?',
  ]);
});

test('reports every fault of a request at once', () => {
  expect(messagesOf({ temprature: 2, top_p: 2, format: 'x' })).toHaveLength(4);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])(
  'refuses %s, which MessagePack can carry',
  (temperature) => {
    expect(errorsOf({ text: 'a', temperature }, 'msgpack')).toHaveLength(1);
    expect(errorsOf({ text: 'a', prosody: { volume: temperature } }, 'msgpack')).toHaveLength(1);
  },
);

test('gives bytes for base64 in JSON and for binary in MessagePack alike', () => {
  const bytes = Uint8Array.from(Buffer.from(audio, 'base64'));
  const judge = (value: unknown, encoding: 'json' | 'msgpack') =>
    validator.validateBody(operation('createSpeech'), 'application/json', value, encoding);
  const fromJson = judge({ text: 'a', references: [{ audio, text: 'b' }] }, 'json');
  const fromMessagePack = judge({ text: 'a', references: [{ audio: bytes, text: 'b' }] }, 'msgpack');
  const expected = { text: 'a', references: [{ audio: expect.any(Uint8Array), text: 'b' }] };
  for (const verdict of [fromJson, fromMessagePack]) {
    expect(verdict).toMatchObject({ valid: true, value: expected });
    const value = (verdict as { value: { references: { audio: Uint8Array }[] } }).value;
    expect([...(value.references[0]?.audio ?? [])]).toEqual([...bytes]);
  }
});

test('refuses bytes where text belongs and text where bytes belong', () => {
  expect(errorsOf({ text: Uint8Array.of(1) }, 'msgpack')).toMatchObject([
    { path: ['text'], type: 'string_type' },
  ]);
  expect(errorsOf({ text: 'a', prosody: Uint8Array.of(1) }, 'msgpack')[0]).toMatchObject({
    path: ['prosody'],
  });
  expect(errorsOf({ text: 'a', references: [{ audio, text: 'b' }] }, 'msgpack')).toMatchObject([
    { path: ['references', '0', 'audio'], type: 'binary_type' },
  ]);
  expect(
    errorsOf({ text: 'a', references: [{ audio: new Uint8Array(0), text: 'b' }] }, 'msgpack'),
  ).toHaveLength(1);
});

test('gives a form the types its schema asks for', () => {
  const update = operation('updateModel');
  const entries = [
    { name: 'title', value: 'true' },
    { name: 'tags', value: 'a' },
    { name: 'tags', value: 'b' },
  ];
  const shape = (list: typeof entries) =>
    validator.shapeBody(update, 'multipart/form-data', { encoding: 'form', entries: list });
  expect(shape(entries)).toEqual({ title: 'true', tags: ['a', 'b'] });
  expect(shape(entries.slice(0, 2))).toEqual({ title: 'true', tags: 'a' });
});
