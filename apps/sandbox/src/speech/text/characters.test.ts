import { expect, test } from 'vitest';
import {
  engineLanguage,
  findTokens,
  hasTokens,
  languageRuns,
  plainUnits,
  spokenForm,
  unitsOf,
} from './characters.ts';
import { prepareText, tagStyleOf } from './text-feed.ts';

const words = (text: string) => findTokens(plainUnits(text)).map((token) => token.text);
const spoken = (text: string, normalize = true) =>
  unitsOf(text)
    .map((unit) => spokenForm(unit, normalize))
    .join('');

test('words keep the letters of the caller, without the punctuation around them', () => {
  const text = '"Hello," she said — it’s (really) $3.50, well-known & 50%…';
  expect(words(text).join(' ')).toBe('Hello she said it’s really $3.50 well-known & 50%');
  const written = ['𝐇𝐞𝐥𝐥𝐨', 'ﬁnally', 'Zoe\u0308', '\u1112\u1161\u11ab', 'क्\u200dषमा', 'ＡＢ１２', '𝒳y'];
  expect(words(written.join(' '))).toEqual(written);
  expect(words('Yes👍🏽 no🇩🇪 o\u00adkay')).toEqual(['Yes', 'no', 'o\u00adkay']);
});

test('each Chinese character is a word of its own, and what lies between them is one', () => {
  expect(words('我有2024台iPhone！')).toEqual(['我', '有', '2024', '台', 'iPhone']);
});

test('there is nothing to say in punctuation', () => {
  expect(words('... !? — "" …')).toEqual([]);
  expect(hasTokens(plainUnits('... !? — 。'))).toBe(false);
  expect(hasTokens(plainUnits('... a'))).toBe(true);
});

test('is said in plain letters, whatever they are written with', () => {
  expect(spoken('𝐇𝐞𝐥𝐥𝐨 ﬁnally Zoe\u0308 \u1112\u1161\u11ab ＡＢ１２ it’s')).toBe(
    "Hello finally Zoë 한 AB12 it's",
  );
  expect(spoken('क्\u200dषमा o\u00adkay')).toBe('क्षमा okay');
  expect(spoken('In 2024, １５%.', false)).toBe('In 2 0 2 4 , 1 5 %.');
});

test('gives the engine neither markup nor phoneme brackets, pictographs, surrogates and control characters', () => {
  expect(spoken('a <b>bold</b> [[h@loU]] 1 < 2 😀👍🏽👨‍👩‍👧')).not.toMatch(
    /[<>[\]]|\p{Extended_Pictographic}/u,
  );
  expect(spoken('a\ud800b\u0000c')).toBe('a b c');
});

function runs(text: string): [string, string, number][] {
  const characters = prepareText(text, { speakers: 2, tags: tagStyleOf('s2-pro'), normalize: true });
  return languageRuns(characters).map((run) => [
    run.language,
    run.characters.map(({ written }) => written).join(''),
    run.speaker,
  ]);
}

test('reads a script in the first language of the voice that is written in it, and in its accent', () => {
  const read = (script: string, languages?: readonly string[]) =>
    engineLanguage(script, { accent: 'en-gb-scotland', languages });
  expect([read('en'), read('zh'), read('ru')]).toEqual(['en-gb-scotland', 'cmn', 'ru']);
  expect([read('en', ['de', 'fr']), read('zh', ['de', 'fr'])]).toEqual(['de', 'cmn']);
  expect([read('en', ['zh', 'pt-BR']), read('ru', ['en', 'uk'])]).toEqual(['pt', 'uk']);
  expect([read('en', ['tlh', 'no']), read('en', ['klingon', ''])]).toEqual(['nb', 'en-gb-scotland']);
});

test('reads Chinese characters in Chinese and Latin letters in the language of the voice', () => {
  expect(runs('我买了 iPhone 手机。')).toEqual([
    ['zh', '我买了 ', 0],
    ['en', 'iPhone ', 0],
    ['zh', '手机。', 0],
  ]);
});

test('reads digits in the language before them, or after them at the start', () => {
  expect(runs('2024年 is 2024')).toEqual([
    ['zh', '2024年 ', 0],
    ['en', 'is 2024', 0],
  ]);
  expect(runs('12:30')).toEqual([['en', '12:30', 0]]);
});

test('begins a new run with a new speaker, and where a tag asks for silence', () => {
  expect(runs('One.<|speaker:1|>Two.')).toEqual([
    ['en', 'One.', 0],
    ['en', ' Two.', 1],
  ]);
  expect(runs('Two.[pause] 3')).toEqual([
    ['en', 'Two.', 0],
    ['en', '  3', 0],
  ]);
});
