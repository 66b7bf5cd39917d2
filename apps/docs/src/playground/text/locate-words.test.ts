import { expect, test } from 'vitest';
import { locateWords } from './locate-words.ts';

/** The text each segment was found at. */
function located(text: string, segments: readonly string[]): (string | undefined)[] {
  const ranges = locateWords(
    text,
    segments.map((segment) => ({ text: segment })),
  );
  return ranges.map((range) => range && text.slice(range.start, range.end));
}

test('finds each word without its punctuation', () => {
  expect(located('Hello, world! (Again.)', ['Hello', 'world', 'Again'])).toEqual(['Hello', 'world', 'Again']);
});

test('finds the second of two equal words for the second segment', () => {
  const ranges = locateWords('no, no', [{ text: 'no' }, { text: 'no' }]);
  expect(ranges).toEqual([
    { start: 0, end: 2 },
    { start: 4, end: 6 },
  ]);
});

test('finds words whose apostrophe the service dropped', () => {
  expect(located("I don't know", ['I', 'dont', 'know'])).toEqual(['I', "don't", 'know']);
});

test('finds words in another case', () => {
  expect(located('NASA and Émile', ['nasa', 'and', 'émile'])).toEqual(['NASA', 'and', 'Émile']);
});

test('lights the figure for every word it is read as', () => {
  expect(located('It costs $5 today', ['It', 'costs', 'five', 'dollars', 'today'])).toEqual([
    'It',
    'costs',
    '5',
    '5',
    'today',
  ]);
});

test('gives nothing to a segment that is not in the text, and continues after it', () => {
  expect(located('one two', ['one', 'er', 'two'])).toEqual(['one', undefined, 'two']);
});

test('steps over speaker tags', () => {
  expect(located('<|speaker:0|>Good morning', ['Good', 'morning'])).toEqual(['Good', 'morning']);
});

test('does not find a short word inside a longer one', () => {
  expect(located('banana a', ['a'])).toEqual(['a']);
  expect(locateWords('banana a', [{ text: 'a' }])[0]).toEqual({ start: 7, end: 8 });
});

test('does not jump far ahead for a word that happens to come again', () => {
  const text = 'Take 1 of them and go down the long road to the one house';
  expect(located(text, ['Take', 'one', 'of', 'them'])).toEqual(['Take', '1', 'of', 'them']);
});

test('finds Chinese one character at a time', () => {
  expect(located('你好，世界。', ['你', '好', '世', '界'])).toEqual(['你', '好', '世', '界']);
});

test('counts in UTF-16, as strings are cut', () => {
  expect(located('👋🏽 𝒜 wave', ['wave'])).toEqual(['wave']);
});

test('leaves the text that has not arrived yet alone', () => {
  expect(located('one two three four', ['one', 'wo'])).toEqual(['one', undefined]);
});
