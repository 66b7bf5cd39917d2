import { expect, test } from 'vitest';
import { locateWords } from './locate-words.ts';

/** A text, its segments, and what each of them is found at where that is not the segment itself. */
const cases: readonly [
  name: string,
  text: string,
  segments: string,
  found?: readonly (string | undefined)[],
][] = [
  ['words without their punctuation', 'Hello, world! (Again.)', 'Hello world Again'],
  ['words whose apostrophe was dropped', "I don't know", 'I dont know', ['I', "don't", 'know']],
  ['words in another case', 'NASA and Émile', 'nasa and émile', ['NASA', 'and', 'Émile']],
  [
    'a figure, for every word it is read as',
    'It costs $5 now',
    'It costs five dollars now',
    ['It', 'costs', '5', '5', 'now'],
  ],
  [
    'nothing for what is not in the text, and what follows it',
    'one two',
    'one er two',
    ['one', undefined, 'two'],
  ],
  ['words behind a speaker tag', '<|speaker:0|>Good morning', 'Good morning'],
  ['nothing for text that has not arrived', 'one two three', 'one wo', ['one', undefined]],
  ['Chinese, one character at a time', '你好，世界。', '你 好 世 界'],
  ['words behind characters of two units', '👋🏽 𝒜 wave', 'wave'],
  [
    'no word far ahead that happens to come again',
    'Take 1 of them and go down to the one house',
    'Take one of',
    ['Take', '1', 'of'],
  ],
];

test.each(cases)('finds %s', (_, text, segments, found = segments.split(' ')) => {
  const ranges = locateWords(
    text,
    segments.split(' ').map((segment) => ({ text: segment })),
  );
  expect(ranges.map((range) => range && text.slice(range.start, range.end))).toEqual(found);
});

test('finds the second of two equal words, and no short word inside a longer one', () => {
  const starts = (text: string, ...segments: string[]) =>
    locateWords(
      text,
      segments.map((segment) => ({ text: segment })),
    ).map((range) => range?.start);
  expect(starts('no, no', 'no', 'no')).toEqual([0, 4]);
  expect(starts('banana a', 'a')).toEqual([7]);
});
