import { expect, test } from 'vitest';
import { lengthOf, splitText } from './split-text.ts';

test('parts end at paragraphs where they fit, else at sentences, else at spaces', () => {
  const long = 'One two three. Four five six.';
  expect(splitText(`${long}\n\n${long}`, 30)).toEqual([long, long]);
  expect(splitText(long, 20)).toEqual(['One two three.', 'Four five six.']);
  expect(splitText('one two three four', 9)).toEqual(['one two', 'three', 'four']);
  expect(splitText('。'.repeat(25), 10).map(lengthOf)).toEqual([10, 10, 5]);
});

test('nothing of the text is lost, and no part is too long', () => {
  const text = Array.from(
    { length: 300 },
    (_, index) => `Sentence ${index} is here!${index % 7 ? ' ' : '\n\n'}`,
  ).join('');
  const parts = splitText(text, 200);
  expect(parts.join(' ').replaceAll(/\s+/g, ' ')).toBe(text.trim().replaceAll(/\s+/g, ' '));
  expect(Math.max(...parts.map(lengthOf))).toBeLessThanOrEqual(200);
});

test('a direction, a tag or a grapheme is never cut in two', () => {
  const parts = splitText(
    'One two three. [speaking very softly. And slowly] Four five (in a low voice) six.',
    20,
  );
  expect(parts.some((part) => part.includes('[speaking very softly. And slowly]'))).toBe(true);
  expect(parts.some((part) => part.includes('(in a low voice)'))).toBe(true);
  expect(splitText('😀'.repeat(15), 10)).toEqual(['😀'.repeat(10), '😀'.repeat(5)]);
  const family = '👨‍👩‍👧';
  expect(splitText(family.repeat(9), 12)).toEqual([2, 2, 2, 2, 1].map((count) => family.repeat(count)));
});

test('a part of a dialogue begins with its speaker', () => {
  const text =
    '<|speaker:0|>Good morning to you.\n\nIt rains again today.\n\n<|speaker:1|>So it does, my dear.';
  expect(splitText(text, 40)).toEqual([
    '<|speaker:0|>Good morning to you.',
    '<|speaker:0|>It rains again today.',
    '<|speaker:1|>So it does, my dear.',
  ]);
});

test('a part of a dialogue is no longer than asked, its speaker included', () => {
  const turns = Array.from(
    { length: 40 },
    (_, index) => `<|speaker:${index % 12}|>${'So it does. '.repeat((index % 9) + 1)}`,
  );
  for (const maximum of [60, 100, 101]) {
    const parts = splitText(turns.join(''), maximum);
    expect(Math.max(...parts.map(lengthOf))).toBeLessThanOrEqual(maximum);
    for (const part of parts) expect(part).toMatch(/^<\|speaker:\d+\|>./);
    expect(parts.join('').match(/does/g)).toHaveLength(turns.join('').match(/does/g)?.length ?? 0);
  }
});

test('a part ends at no abbreviation and no initial', () => {
  const text = 'He met Dr. Ann Lee, e.g. at noon. She knew J. Smith of St. Ives vs. nobody. ';
  const parts = splitText(text.repeat(20).trim(), 140);
  for (const part of parts) expect(part).toMatch(/(?:noon|nobody)\.$/);
});
