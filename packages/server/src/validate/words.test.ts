import { expect, test } from 'vitest';
import { editDistance, suggest } from './words.ts';

test.each([
  ['', '', 0],
  ['abc', '', 3],
  ['temprature', 'temperature', 1],
  ['formta', 'format', 1],
  ['kitten', 'sitting', 3],
])('counts the errors between %j and %j', (one, other, distance) => {
  expect(editDistance(one, other)).toBe(distance);
  expect(editDistance(other, one)).toBe(distance);
});

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
