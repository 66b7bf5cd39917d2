import { expect, test } from 'vitest';
import { DecodeFailure, defaultDecodeLimits } from './failure.ts';
import { decodeJson } from './json.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function failureOf(input: string | Uint8Array, limits = defaultDecodeLimits): DecodeFailure {
  try {
    decodeJson(typeof input === 'string' ? bytes(input) : input, limits);
  } catch (error) {
    if (error instanceof DecodeFailure) return error;
    throw error;
  }
  throw new Error(`decoded without a complaint: ${String(input).slice(0, 80)}`);
}

test('decodes every kind of value as it was written', () => {
  const text =
    ' {"a": [1, -0.5, 2e3, true, false, null, "x\\n\\u00e9\\"\\\\"], "b": {}, "c": [], "é": "文", "0": "", "d": [[], {}]}\n';
  expect(decodeJson(bytes(text))).toEqual(JSON.parse(text));
});

test('takes a byte order mark for what it is', () => {
  expect(decodeJson(bytes('\uFEFF{"text":"a"}'))).toEqual({ text: 'a' });
});

test.each(['1', '"x"', 'null', '[]', ' true '])('decodes %s, which validation judges', (text) => {
  expect(decodeJson(bytes(text))).toEqual(JSON.parse(text));
});

test.each([
  ['', 'empty'],
  ['   \n', 'empty'],
  ['{', 'line 1, column 2'],
  ['{"text": "abc', 'ends inside a string'],
  ['{"text": "abc"', 'ends where'],
  ['{"text": }', 'in `text`'],
  ['{"text": "a",}', 'where a name is expected'],
  ['{"a": 1\n "b": 2}', 'line 2, column 2'],
  ['{"a" 1}', 'where : is expected'],
  ["{'a': 1}", 'where name or } is expected'],
  ['{"a": 01}', 'in `a`'],
  ['{"a": 1.}', 'in `a`'],
  ['{"a": NaN}', 'in `a`'],
  ['{"a": undefined}', 'in `a`'],
  ['{"a": +1}', 'in `a`'],
  ['{"a": [1, 2,]}', 'in `a[2]`'],
  ['{"references": [{"audio": x}]}', 'in `references[0].audio`'],
  ['[1}', 'where , or ] is expected'],
  ['{"a": 1]', 'where , or } is expected'],
  ['{} {}', 'where the end is expected'],
  ['{"a": 1, "a": 2}', 'gives `a` twice'],
  ['{"a": 1, "\\u0061": 2}', 'gives `a` twice'],
  ['{"a": "x\u0001y"}', 'control character'],
  ['{"a": "x\ny"}', 'control character'],
  ['{"a": "\\x41"}', 'unknown escape'],
  ['{"a": "\\u12"}', 'unknown escape'],
  ['{"a": {"b": "\\ud800"}}', 'half of a surrogate pair (line 1, column 13, in `a.b`)'],
  ['{"\\udc00": 1}', 'half of a surrogate pair'],
])('refuses %j, saying where', (text, words) => {
  const failure = failureOf(text);
  expect(failure.message).toContain(words);
  expect(failure).toMatchObject({ issues: [{ loc: ['body'], type: 'json_invalid' }] });
});

test('keeps a surrogate pair written as two escapes', () => {
  expect(decodeJson(bytes('["\\ud83d\\ude00"]'))).toEqual(['😀']);
});

test('refuses bytes that are not UTF-8', () => {
  expect(failureOf(Uint8Array.of(0x22, 0xff, 0x22)).message).toContain('UTF-8');
});

test('refuses a nesting bomb without following it', () => {
  const failure = failureOf('['.repeat(5_000_000));
  expect(failure.message).toContain('nests deeper than 32 levels');
  expect(failureOf('{"a":'.repeat(5_000_000)).path).toHaveLength(32);
});

test('accepts nesting up to the limit', () => {
  expect(() => decodeJson(bytes('['.repeat(32) + ']'.repeat(32)))).not.toThrow();
  expect(() => decodeJson(bytes('['.repeat(33) + ']'.repeat(33)))).toThrow('nests deeper');
});

test('refuses a flood of values', () => {
  expect(failureOf(`[${'0,'.repeat(30_000)}0]`).message).toContain('more than 30000 values');
  const names = Array.from({ length: 30_001 }, (_, index) => `"${index}":0`).join();
  expect(failureOf(`{${names}}`).message).toContain('more than 30000 values');
});

test('agrees with the engine on what is JSON, for every mutation of a document by one character', () => {
  const text = '{"text":"a\\"b\\\\","n":[-1.5e+2,true,null],"o":{"p":"é"}}';
  for (let index = 0; index <= text.length; index += 1) {
    for (const inserted of ['', '"', '\\', '{', ']', ',', ':', '0', '-', '.', 'e', ' ', 'x', '\u0007']) {
      const mutated = text.slice(0, index) + inserted + text.slice(index + (inserted === '' ? 1 : 0));
      const expected = parseOrUndefined(mutated);
      if (expected === undefined) expect(() => decodeJson(bytes(mutated)), mutated).toThrow(DecodeFailure);
      else if (!/duplicate|twice/.test(messageOf(mutated)))
        expect(decodeJson(bytes(mutated))).toEqual(expected);
    }
  }
});

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messageOf(text: string): string {
  try {
    decodeJson(bytes(text));
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test.each(['a', 'a'.repeat(500), ''])('keeps a leading U+FEFF in a string', (rest) => {
  const body = { text: `\uFEFF${rest}`, references: [{ text: `\uFEFF${rest}` }] };
  expect(decodeJson(Buffer.from(JSON.stringify(body)))).toEqual(body);
});
