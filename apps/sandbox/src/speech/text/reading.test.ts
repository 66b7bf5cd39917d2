import { describe, expect, test } from 'vitest';
import { readingOf } from './reading.ts';

const english = (text: string) => readingOf([...text], 'home', true).text;
const chinese = (text: string) => readingOf([...text], 'cmn', true).text;

describe('readingOf', () => {
  test.each([
    ['2024', 'twenty twenty-four'],
    ['in 1905, 1900 and 2005', 'in nineteen oh five, nineteen hundred and two thousand five'],
    ['$3.50', 'three dollars and fifty cents'],
    ['$1 and £0.01', 'one dollar and one penny'],
    ['$3.5 million', 'three point five million dollars'],
    ['3.14', 'three point one four'],
    ['50%', 'fifty percent'],
    [
      '1,234,567 people',
      'one million two hundred and thirty-four thousand five hundred and sixty-seven people',
    ],
    ['the 1st, 2nd and 20th', 'the first, second and twentieth'],
    ['at 9:05 or 12:30 or 3:00.', "at nine oh five or twelve thirty or three o'clock."],
    ['-5 degrees', 'minus five degrees'],
    ['0 and 007', 'zero and zero zero seven'],
    ['A4, 3D, 1.2.3, 3/4/2024', 'A4, 3D, 1.2.3, 3/4/2024'],
    ['It is 7.', 'It is seven.'],
    [
      '12345678901234567',
      'one two three four five six seven eight nine zero one two three four five six seven',
    ],
  ])('writes %s out in English', (written, said) => {
    expect(english(written)).toBe(said);
  });

  test.each([
    ['2024年', '二零二四年'],
    ['2024个', '两千零二十四个'],
    ['价格是3.5元', '价格是三点五元'],
    ['50%的人', '百分之五十的人'],
    ['¥3.50。', '三点五零元。'],
    ['$20', '二十美元'],
    ['12:30', '十二点三十分'],
    ['2:05', '两点零五分'],
    ['10、15、100、110', '十、十五、一百、一百一十'],
    ['10001和120000000', '一万零一和一亿二千万'],
    ['13800138000', '一三八零零一三八零零零'],
    ['-5度', '负五度'],
  ])('writes %s out in Chinese', (written, said) => {
    expect(chinese(written)).toBe(said);
  });

  test('reads digit by digit where nothing is to be normalized', () => {
    const raw = (text: string) => readingOf([...text], 'home', false).text;
    expect(raw('In 2024, $3.50 or 50%.')).toBe('In 2 0 2 4, 3 5 0 or 5 0.');
    expect(readingOf([...'价格3.5元'], 'cmn', false).text).toBe('价格3 5元');
  });

  test('leaves numbers of other languages to the engine', () => {
    for (const normalize of [true, false])
      expect(readingOf([...'Это 2024'], 'ru', normalize).text).toBe('Это 2024');
  });

  test('knows the written character of each of its code points', () => {
    const written = [...'𝒳 $3.5 million 你'];
    const { text, places } = readingOf(written, 'home', true);
    expect(places).toHaveLength([...text].length);
    const at = (word: string) =>
      places[[...text].join('').length && [...text.slice(0, text.indexOf(word))].length];
    expect(at('three')).toBe(2);
    expect(at('five')).toBe(2);
    expect(at('million')).toBe(7);
    expect(at('dollars')).toBe(7);
    expect(at('你')).toBe(15);
  });
});
