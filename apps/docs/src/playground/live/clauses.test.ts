import { expect, test } from 'vitest';
import { endOfClauses } from './clauses.ts';

test.each([
  ['Good morning,', ''],
  ['Good morning, every', 'Good morning, '],
  ['It costs 3.50 and', ''],
  ['He said “yes.” Then', 'He said “yes.” '],
  ['你好，世', '你好，'],
  ['One line\nand', 'One line\n'],
])('of “%s”, the clause that is being typed is left to the reader', (text, complete) => {
  expect(text.slice(0, endOfClauses(text))).toBe(complete);
});
