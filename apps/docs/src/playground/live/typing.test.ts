import { expect, test } from 'vitest';
import { endOfClauses, tokensOf } from './typing.ts';

test('leaves the clause that is being typed to the reader', () => {
  const sent = (text: string) => text.slice(0, endOfClauses(text));
  expect(sent('Good morning')).toBe('');
  expect(sent('Good morning,')).toBe('');
  expect(sent('Good morning, every')).toBe('Good morning, ');
  expect(sent('It costs 3.50 and')).toBe('');
  expect(sent('He said “yes.” Then')).toBe('He said “yes.” ');
  expect(sent('你好，世')).toBe('你好，');
  expect(sent('One line\nand')).toBe('One line\n');
});

test('cuts a text into tokens that are the text again', () => {
  for (const text of ['The tide comes in at seven.\n\nThen 🚤 go.', '你好，世界。', ' a ']) {
    const tokens = tokensOf(text);
    expect(tokens.join('')).toBe(text);
    expect(Math.max(...tokens.map((token) => [...token.trim()].length))).toBeLessThanOrEqual(5);
  }
});
