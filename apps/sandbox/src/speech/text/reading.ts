import { homeLanguage } from './language.ts';
import { chineseNumbers } from './numbers/chinese.ts';
import { singleDigits } from './numbers/digits.ts';
import { englishNumbers } from './numbers/english.ts';
import { type NumberForm, replaceNumbers } from './numbers/replacement.ts';

/** What the engine is given for some characters, and which of them each of its code points stands for. */
export interface Reading {
  readonly text: string;
  readonly places: readonly number[];
}

const numbersOf: Readonly<Record<string, readonly NumberForm[]>> = {
  [homeLanguage]: englishNumbers,
  cmn: chineseNumbers,
};

/**
 * Writes the numbers of English and Chinese out in words; without that each digit is read by itself. Times stay
 * those of what was written: every word of a number stands for its first character.
 *
 * @param characters one code point each
 */
export function readingOf(characters: readonly string[], language: string, normalize: boolean): Reading {
  const forms = numbersOf[language];
  const places = characters.map((_, index) => index);
  if (forms === undefined || !characters.some((character) => /\d/.test(character))) {
    return { text: characters.join(''), places };
  }
  // One unit a character, so that the indices of the expressions are ours.
  const line = characters.map((character) => (character.length === 1 ? character : '\ufffd')).join('');
  const read: string[] = [];
  const readPlaces: number[] = [];
  let index = 0;
  for (const { start, end, words } of replaceNumbers(line, normalize ? forms : singleDigits)) {
    read.push(...characters.slice(index, start), ...words);
    readPlaces.push(...places.slice(index, start), ...Array.from(words, () => start));
    index = end;
  }
  read.push(...characters.slice(index));
  readPlaces.push(...places.slice(index));
  return { text: read.join(''), places: readPlaces };
}
