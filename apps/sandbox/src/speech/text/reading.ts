import { chineseNumbers } from './chinese-numbers.ts';
import { englishNumbers } from './english-numbers.ts';
import { homeLanguage } from './language.ts';

/** Text for the engine, with the index of the character that each of its code points represents. */
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
 * those of what was written: every word of a number belongs to its first character.
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

/** Text spoken instead of a stretch of text; the indices are code points. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly words: string;
}

/** A way to write a number, and how it is read. */
export interface NumberForm {
  /** Without any flag but `u` and `g`; what is to be replaced is the whole match. */
  readonly pattern: RegExp;
  /** `undefined` leaves the match to the engine. */
  read(match: RegExpExecArray): string | undefined;
}

/** Reads every number of a text by the first form that fits; forms that come earlier win where two overlap. */
export function replaceNumbers(text: string, forms: readonly NumberForm[]): Replacement[] {
  const found: Replacement[] = [];
  for (const form of forms) {
    for (const match of text.matchAll(form.pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const words = form.read(match);
      if (words !== undefined) found.push({ start, end, words });
    }
  }
  return found.sort((left, right) => left.start - right.start);
}

/** Numbers read digit by digit, without knowing what they mean; signs are skipped. */
export const singleDigits: readonly NumberForm[] = [
  {
    pattern: /[$€£¥￥]?\d[\d.,:]*(?<=\d)[%％]?/gu,
    read: ([text]) => [...text.replace(/\D/gu, '')].join(' '),
  },
];
