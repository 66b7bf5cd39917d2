/** A stretch of the text, as UTF-16 offsets for `slice`. */
interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A jump over this many letters is believed at once; a longer one only when the next segment fits as well. */
const shortJump = 12;
const longestJump = 120;

/**
 * Finds where in the text each timed segment was read from.
 *
 * Segments are not substrings of the text: punctuation is dropped and apostrophes may vanish, so only letters and
 * digits are compared. Segments that are not in the text ("three" for "3") get the text left over between their
 * neighbours; where nothing is left over, they get none.
 *
 * @returns one range per segment, in the same order
 */
export function locateWords(text: string, segments: readonly { text: string }[]): (TextRange | undefined)[] {
  const { letters, starts, ends } = lettersOf(text);
  const words = segments.map((segment) => lettersOf(segment.text).letters);
  let cursor = 0;
  const find = (word: string, next = ''): number => {
    if (word === '' || letters.startsWith(word, cursor)) return word === '' ? -1 : cursor;
    let first = letters.indexOf(word, cursor);
    for (; first >= 0 && first <= cursor + longestJump; first = letters.indexOf(word, first + 1)) {
      if (ends[first - 1] === starts[first]) continue;
      if (first - cursor <= shortJump || letters.startsWith(next, first + word.length)) return first;
    }
    return -1;
  };
  const places = words.map((word, index) => {
    const first = find(word, words[index + 1]);
    if (first < 0) return undefined;
    cursor = first + word.length;
    return { first, behind: cursor };
  });
  let before = 0;
  let next = 0;
  return places.map((place, index) => {
    before = place?.behind ?? before;
    while (next < places.length && (next <= index || places[next] === undefined)) next += 1;
    // The end of the text is not a neighbour: while the stream runs, most of the text has no segment yet.
    const { first, behind } = place ?? { first: before, behind: places[next]?.first ?? 0 };
    const [start, end] = [starts[first], ends[behind - 1]];
    return start === undefined || end === undefined || first >= behind ? undefined : { start, end };
  });
}

/** The letters, digits and marks of a text in lower case, and where each of them begins and ends in it. */
function lettersOf(text: string) {
  const [starts, ends]: [number[], number[]] = [[], []];
  let letters = '';
  for (const { 0: letter, index } of text.matchAll(/[\p{L}\p{N}\p{M}]/gu)) {
    const plain = letter.normalize('NFKC').toLowerCase();
    letters += plain;
    for (let unit = 0; unit < plain.length; unit += 1) {
      starts.push(index);
      ends.push(index + letter.length);
    }
  }
  return { letters, starts, ends };
}
