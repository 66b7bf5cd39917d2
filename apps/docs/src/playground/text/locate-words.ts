/** A stretch of the text, as UTF-16 offsets for `slice`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Letters, digits and marks count; everything else (spaces, punctuation, apostrophes) the service may drop. */
const counted = /[\p{L}\p{N}\p{M}]/u;
/** A jump over this many letters is believed at once; a longer one only when the next segment fits as well. */
const shortJump = 12;
const longestJump = 120;

interface Letters {
  readonly characters: readonly string[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Finds where in the text each timed segment was read from.
 *
 * Segments are not substrings of the text: punctuation is dropped and apostrophes may vanish, so only letters and
 * digits are compared. Segments that are not in the text ("three" for "3") get the text left over between their
 * neighbours; where nothing is left over, they get none.
 *
 * @returns one range a segment, in the same order
 */
export function locateWords(text: string, segments: readonly { text: string }[]): (TextRange | undefined)[] {
  const letters = readLetters(text);
  const wanted = segments.map((segment) => readLetters(segment.text).characters);
  const found: (readonly [first: number, last: number] | undefined)[] = [];
  let cursor = 0;
  wanted.forEach((word, index) => {
    const first = findWord(letters, word, cursor, wanted[index + 1]);
    if (first === undefined) {
      found.push(undefined);
      return;
    }
    cursor = first + word.length;
    found.push([first, cursor - 1]);
  });
  return fillGaps(found, letters.characters.length).map((span) => span && toRange(letters, span));
}

function readLetters(text: string): Letters {
  const characters: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let offset = 0;
  for (const character of text) {
    if (counted.test(character)) {
      characters.push(character.normalize('NFKC').toLowerCase());
      starts.push(offset);
      ends.push(offset + character.length);
    }
    offset += character.length;
  }
  return { characters, starts, ends };
}

function findWord(
  letters: Letters,
  word: readonly string[],
  from: number,
  next: readonly string[] | undefined,
): number | undefined {
  if (word.length === 0) return undefined;
  const last = Math.min(from + longestJump, letters.characters.length - word.length);
  for (let first = from; first <= last; first += 1) {
    if (!matches(letters, word, first)) continue;
    if (first === from) return first;
    if (!startsWord(letters, first)) continue;
    const followed = next === undefined || next.length === 0 || matches(letters, next, first + word.length);
    if (first - from <= shortJump || followed) return first;
  }
  return undefined;
}

function matches(letters: Letters, word: readonly string[], first: number): boolean {
  return word.every((character, index) => letters.characters[first + index] === character);
}

function startsWord(letters: Letters, index: number): boolean {
  return index === 0 || letters.ends[index - 1] !== letters.starts[index];
}

type Span = readonly [first: number, last: number];

function fillGaps(found: readonly (Span | undefined)[], total: number): (Span | undefined)[] {
  return found.map((span, index) => {
    if (span !== undefined) return span;
    const before = found.slice(0, index).findLast((other) => other !== undefined);
    const after = found.slice(index + 1).find((other) => other !== undefined);
    // The end of the text is not a neighbour: while the stream runs, most of the text has no segment yet.
    if (after === undefined) return undefined;
    const first = before === undefined ? 0 : before[1] + 1;
    const last = Math.min(after[0], total) - 1;
    return first <= last ? [first, last] : undefined;
  });
}

function toRange(letters: Letters, [first, last]: Span): TextRange | undefined {
  const start = letters.starts[first];
  const end = letters.ends[last];
  return start === undefined || end === undefined ? undefined : { start, end };
}
