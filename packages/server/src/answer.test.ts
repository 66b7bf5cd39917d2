import { expect, test } from 'vitest';
import { withoutKey } from './answer.ts';

test.each([
  ['abcde', 'the abcde of an ordinary word'],
  ['abcdef', 'the … of an ordinary word'],
])('takes the key %s for one only where it is too long for a placeholder', (key, shown) => {
  expect(withoutKey(`the ${key} of an ordinary word`, key)).toBe(shown);
});
