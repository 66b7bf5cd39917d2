import { expect, test } from 'vitest';
import { suggest } from './words.ts';

const names = [
  'text',
  'temperature',
  'top_p',
  'reference_id',
  'references',
  'format',
  'prosody',
  'prosody.speed',
];

test.each([
  ['temprature', 'temperature'],
  ['referenceId', 'reference_id'],
  ['Format', 'format'],
  ['txet', 'text'],
  ['speed', 'prosody.speed'],
  ['reference', 'references'],
])('finds what %s was meant to be', (given, meant) => {
  expect(suggest(given, names)).toBe(meant);
});

test.each(['voice', 'x', '', 'completely_different', 'x'.repeat(100_000)])(
  'suggests nothing for a name that is far from all',
  (given) => {
    expect(suggest(given, names)).toBeUndefined();
  },
);
