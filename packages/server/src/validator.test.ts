import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { DescribedError } from './describe.ts';
import { readOperations } from './operations.ts';
import { createValidator, type Encoding, shapeForm, synthesisRequest } from './validator.ts';

const validator = createValidator();

function errorsOf(value: unknown, encoding: Encoding = 'json'): readonly DescribedError[] {
  return validator.validate(synthesisRequest, value, encoding);
}

const messagesOf = (value: unknown): readonly string[] => errorsOf(value).map((error) => error.message);
const audio = Buffer.from('not really audio').toString('base64');

const text = 'a';

test.each([
  [{}, 'text', 'missing', '`text` is required.'],
  [{ text: 1 }, 'text', 'string_type', '`text` must be a string, not a number.'],
  [{ text: null }, 'text', 'string_type', '`text` must be a string, not null.'],
  [{ text, temperature: 2 }, 'temperature', 'less_than_equal', '`temperature` must be at most 1, not 2.'],
  [{ text, chunk_length: 150.5 }, 'chunk_length', 'integer_type', 'must be an integer, not 150.5'],
  [{ text, normalize: 'true' }, 'normalize', 'boolean_type', 'must be a boolean, not a string.'],
  [{ text, temperature: null }, 'temperature', 'number_type', '`temperature` must not be null.'],
  [{ text, format: 'flac' }, 'format', 'enum', 'one of wav, pcm, mp3 or opus, not "flac"'],
  [{ text, format: 'opsu' }, 'format', 'enum', 'did you mean opus?'],
  [{ text, opus_bitrate: 32 }, 'opus_bitrate', 'enum', '32000 instead of 32'],
  [{ text, prosody: { speed: 3 } }, 'prosody.speed', 'less_than_equal', '`prosody.speed` must be at most 2'],
  [{ text, prosody: { sped: 1 } }, 'prosody.sped', 'extra_forbidden', 'did you mean `prosody.speed`?'],
  [{ text, prosody: 1 }, 'prosody', 'object_type', 'must be an object or null, not a number.'],
  [{ text, temprature: 1 }, 'temprature', 'extra_forbidden', 'did you mean `temperature`?'],
  [{ text, references: [] }, 'references', 'too_short', '`references` is empty.'],
  [{ text, references: [{ audio }] }, 'references.0.text', 'missing', '`references[0].text` is required.'],
  [{ text, references: [{ audio: '!', text }] }, 'references.0.audio', 'binary', 'must be base64'],
  [{ text, references: [{ audio: '', text }] }, 'references.0.audio', 'binary', 'must not be empty'],
  [{ text, references: [{ audio: 1, text }] }, 'references.0.audio', 'string_type', 'must be a string'],
  [{ text, reference_id: 1 }, 'reference_id', 'string_type', '`reference_id` must be a string'],
  [{ text, reference_id: ['x', 2] }, 'reference_id.1', 'string_type', '`reference_id[1]` must be a string'],
  [{ text, references: [[{ audio, text }]] }, 'reference_id', 'missing', '`reference_id` is required.'],
  [[], '', 'object_type', 'the body must be an object'],
  ['text', '', 'object_type', 'the body must be an object, not a string.'],
])('refuses %j with one issue that names the field', (request, path, type, words) => {
  const errors = errorsOf(request);
  expect(errors.map((error) => [error.path.join('.'), error.type])).toEqual([[path, type]]);
  expect(errors[0]?.message).toContain(words);
});

test('checks a request by the branch it means, not by all three', () => {
  expect(messagesOf({ text: 'a', reference_id: ['x'], references: [[{ audio, txt: 'b' }]] })).toEqual([
    '`references[0][0].text` is required.',
    'unknown field `references[0][0].txt`, did you mean `references[0][0].text`?',
  ]);
});

test('reports every fault of a request at once', () => {
  expect(messagesOf({ temprature: 2, top_p: 2, format: 'x' })).toHaveLength(4);
  expect(messagesOf({ text: 'a', reference_id: Array.from({ length: 5_000 }, () => 1) })).toHaveLength(20);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %s, which MessagePack can carry', (volume) => {
  expect(errorsOf({ text, temperature: volume }, 'msgpack')).toHaveLength(1);
  expect(errorsOf({ text, prosody: { volume } }, 'msgpack')).toHaveLength(1);
});

test('puts bytes in the place of base64, also beside a fault, and leaves those of MessagePack', () => {
  const bytes = Buffer.from(audio, 'base64');
  const [good, bad] = [{ text, references: [{ audio, text }] }, { references: [{ audio, text }] }];
  const packed = { text, references: [{ audio: bytes, text }] };
  expect(errorsOf(good)).toEqual([]);
  expect(errorsOf(packed, 'msgpack')).toEqual([]);
  expect(good).toEqual(packed);
  expect(errorsOf(bad)).toMatchObject([{ path: ['text'] }]);
  expect(errorsOf({ ...bad, text })).toEqual([]);
});

test.each([
  [{ text: Uint8Array.of(1) }, 'text', 'must not be binary'],
  [{ text, prosody: Uint8Array.of(1) }, 'prosody', 'must not be binary'],
  [{ text, reference_id: [Uint8Array.of(1)] }, 'reference_id.0', 'must not be binary'],
  [Uint8Array.of(1), '', 'must not be binary'],
  [{ text, temprature: Uint8Array.of(1) }, 'temprature', 'did you mean `temperature`?'],
  [{ text, references: [{ audio, text }] }, 'references.0.audio', 'must be binary (the bin type)'],
  [{ text, references: [{ audio: new Uint8Array(0), text }] }, 'references.0.audio', 'must not be empty'],
])('of %j says that bytes or text are in the wrong place', (request, path, words) => {
  const errors = errorsOf(request, 'msgpack');
  expect(errors.map((error) => error.path.join('.'))).toEqual([path]);
  expect(errors[0]?.message).toContain(words);
});

test('takes the bytes of another realm for bytes, as under jsdom', () => {
  const foreign: unknown = runInNewContext('Uint8Array.of(1)');
  expect(errorsOf({ text, references: [{ audio: foreign, text }] }, 'msgpack')).toEqual([]);
});

test('gives a form the types its schema asks for', () => {
  const schema = readOperations().find(({ id }) => id === 'updateModel')?.bodies['multipart/form-data'] ?? {};
  const entries = [
    { name: 'title', value: 'true' },
    { name: 'tags', value: 'a' },
    { name: 'tags', value: 'b' },
  ];
  expect(shapeForm(validator.document, schema, entries)).toEqual({ title: 'true', tags: ['a', 'b'] });
  expect(shapeForm(validator.document, schema, entries.slice(0, 2))).toEqual({ title: 'true', tags: 'a' });
});
