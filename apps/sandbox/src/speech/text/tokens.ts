/** Something written that gets a time of its own: a word, or one character of a script without spaces. */
export interface Token {
  /** First code point of the written token, punctuation included. */
  readonly start: number;
  /** After its last code point. */
  readonly end: number;
  /** Displayed form: the token without the punctuation around it. */
  readonly text: string;
  /** Whether it is one character of a script written without spaces. */
  readonly single: boolean;
}

const characterOfItsOwn = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const separator =
  /[\s\u2014\u2013\u2026\u3000-\u3003\u3008-\u3011\uff0c\uff01\uff1f\uff1a\uff1b\uff08\uff09]/u;
const sayable = /[\p{L}\p{N}]/u;
const spokenSymbol = /^[&+=%@#$€£¥]$/u;
// Percent, ampersand, at and number signs are punctuation to Unicode, and words to a reader.
const punctuationBefore = /^(?:(?![%&@#])\p{P})+/u;
const punctuationAfter = /(?:(?![%&@#])\p{P})+$/u;

/** Finds the tokens of a text given as code points. */
export function findTokens(characters: readonly string[]): Token[] {
  const tokens: Token[] = [];
  let start = -1;
  const close = (end: number) => {
    if (start >= 0) tokens.push(...makeToken(characters, start, end));
    start = -1;
  };
  characters.forEach((character, index) => {
    if (characterOfItsOwn.test(character)) {
      close(index);
      tokens.push({ start: index, end: index + 1, text: character, single: true });
    } else if (separator.test(character)) {
      close(index);
    } else if (start < 0) {
      start = index;
    }
  });
  close(characters.length);
  return tokens;
}

function makeToken(characters: readonly string[], start: number, end: number): Token[] {
  const written = characters.slice(start, end).join('');
  const text = written.replace(punctuationBefore, '').replace(punctuationAfter, '');
  return sayable.test(text) || spokenSymbol.test(text) ? [{ start, end, text, single: false }] : [];
}

/** Whether a text contains anything that can be spoken. */
export function hasTokens(characters: readonly string[]): boolean {
  return characters.some((character) => sayable.test(character) || spokenSymbol.test(character));
}
