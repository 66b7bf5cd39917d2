import { describe, expect, test } from 'vitest';
import { type PrepareOptions, prepareText, tagStyleOf } from './spoken-text.ts';

const s2: PrepareOptions = { speakers: 2, tags: tagStyleOf('s2-pro'), normalize: true };
const s1: PrepareOptions = { ...s2, tags: tagStyleOf('s1') };

function spoken(text: string, options = s2): string {
  return prepareText(text, options)
    .map((character) => character.spoken)
    .join('');
}

describe('prepareText', () => {
  test('takes speaker tags out and gives what follows to the speaker', () => {
    const characters = prepareText('<|speaker:0|>Hi.<|speaker:1|>Yo.', s2);
    expect(characters.map((character) => character.spoken).join('')).toBe(' Hi. Yo.');
    expect(characters.map((character) => character.speaker).join('')).toBe('00001111');
  });

  test('maps every code point back to its position in the text of the caller', () => {
    const text = '<|speaker:1|>😀 ab[sigh]你好';
    for (const character of prepareText(text, s2)) {
      const original = [...text][character.source];
      expect(['<', '[', character.written]).toContain(original);
    }
    expect(prepareText(text, s2).at(-1)?.source).toBe([...text].length - 1);
  });

  test('takes out brackets with an expression on the S2 family, and parentheses on s1', () => {
    expect(spoken('Well [laughing] (happy) yes')).toBe('Well   (happy) yes');
    expect(spoken('Well (laughing) yes', s1)).toBe('Well   yes');
  });

  test('reads out a remark in parentheses that is not an expression', () => {
    expect(spoken('Well (as it were) yes', s1)).toBe('Well (as it were) yes');
  });

  test('gives the engine neither markup nor phoneme brackets nor pictographs, code point for code point', () => {
    const text = 'a <b>bold</b> [[h@loU]] 1 < 2 😀👍🏽';
    expect(spoken(text)).not.toMatch(/[<>[\]]|\p{Extended_Pictographic}/u);
    for (const character of prepareText(text, s2)) expect([...character.spoken]).toHaveLength(1);
  });

  test('brings full width and typographic apostrophes to their plain form only where asked to', () => {
    expect(spoken('It’s ＡＢ１２')).toBe("It's AB12");
    expect(spoken('It’s ＡＢ１２', { ...s2, normalize: false })).toBe('It’s ＡＢ１２');
  });

  test('survives a lone surrogate and control characters', () => {
    expect(spoken('a\ud800b\u0000c')).toBe('a b c');
  });
});
