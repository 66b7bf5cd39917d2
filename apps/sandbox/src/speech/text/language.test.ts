import { expect, test } from 'vitest';
import { languageRuns } from './language.ts';
import { prepareText, tagStyleOf } from './spoken-text.ts';

function runs(text: string): [string, string, number][] {
  const characters = prepareText(text, { speakers: 2, tags: tagStyleOf('s2-pro'), normalize: true });
  return languageRuns(characters).map((run) => [
    run.language,
    run.characters.map(({ written }) => written).join(''),
    run.speaker,
  ]);
}

test('reads Chinese characters in Chinese and Latin letters in the language of the voice', () => {
  expect(runs('我买了 iPhone 手机。')).toEqual([
    ['cmn', '我买了 ', 0],
    ['home', 'iPhone ', 0],
    ['cmn', '手机。', 0],
  ]);
});

test('reads digits in the language before them, or after them at the start', () => {
  expect(runs('2024年 is 2024')).toEqual([
    ['cmn', '2024年 ', 0],
    ['home', 'is 2024', 0],
  ]);
  expect(runs('12:30')).toEqual([['home', '12:30', 0]]);
});

test('begins a new run with a new speaker', () => {
  expect(runs('One.<|speaker:1|>Two.')).toEqual([
    ['home', 'One.', 0],
    ['home', ' Two.', 1],
  ]);
});

test('begins a new run where a tag asks for something, and no sooner', () => {
  expect(runs('我走了。[sad] 2024 年再见。好。')).toEqual([
    ['cmn', '我走了。', 0],
    ['cmn', '  2024 年再见。', 0],
    ['cmn', '好。', 0],
  ]);
  expect(runs('One (sad) two.')).toEqual([['home', 'One (sad) two.', 0]]);
  expect(runs('Two.[pause] 3')).toEqual([
    ['home', 'Two.', 0],
    ['home', '  3', 0],
  ]);
});
