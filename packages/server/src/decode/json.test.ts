import { expect, test } from 'vitest';
import { DecodeFailure } from './failure.ts';
import { decodeJson } from './json.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('takes a byte order mark for what it is', () => {
  expect(decodeJson(bytes('\uFEFF{"text":"a"}'))).toEqual({ text: 'a' });
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
  expect(outcomeOf(decodeJson, bytes(text))).toMatchObject({
    issues: [{ loc: ['body'], type: 'json_invalid', msg: expect.stringContaining(words) }],
  });
});

test('keeps a surrogate pair written as two escapes', () => {
  expect(decodeJson(bytes('["\\ud83d\\ude00"]'))).toEqual(['😀']);
});

test('refuses bytes that are not UTF-8', () => {
  expect(() => decodeJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow('UTF-8');
});

test('agrees with the engine on what is JSON, for every mutation of a document by one character', () => {
  const text = '{"text":"a\\"b\\\\","n":[-1.5e+2,true,null],"o":{"p":"é"}}';
  for (let index = 0; index <= text.length; index += 1) {
    for (const inserted of ['', '"', '\\', '{', ']', ',', ':', '0', '-', '.', 'e', ' ', 'x', '\u0007']) {
      const mutated = text.slice(0, index) + inserted + text.slice(index + (inserted === '' ? 1 : 0));
      const [ours, expected] = [outcomeOf(decodeJson, bytes(mutated)), outcomeOf(JSON.parse, mutated)];
      if (expected instanceof Error) expect(ours, mutated).toBeInstanceOf(DecodeFailure);
      else if (!/twice/.test(String(ours))) expect(ours).toEqual(expected);
    }
  }
});

function outcomeOf<Input>(decode: (input: Input) => unknown, input: Input): unknown {
  try {
    return decode(input);
  } catch (error) {
    return error;
  }
}
