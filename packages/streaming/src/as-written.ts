import type { TimedText } from './captions.ts';

// A word may be spelt otherwise in the alignment (20, twenty); after it, words are looked for within this many letters.
const reach = 40;
// A shorter word would be found by chance.
const minimumLetters = 4;

/**
 * The segments of a chunk with their words as the text of the chunk writes them, for services leave out punctuation and
 * apostrophes. A segment that is not found in the text keeps its own.
 *
 * @param content - The text that the segments were spoken from, in their order.
 */
export function asWritten(segments: readonly TimedText[], content: string): TimedText[] {
  // As long as before, so that places stay what they are.
  const text = content.replace(/<\|[^|]*\|>/g, (tag) => ' '.repeat(tag.length));
  const { letters, places } = lettersOf(text);
  const written: Written[] = [];
  /** The last segment that was found, and where its letters begin and end. */
  let open: Written | undefined;
  let begin = 0;
  let end = 0;
  let next = 0;

  /** Gives the open segment what follows it in the text, and says where what is before `place` begins. */
  function closeBefore(place: number): number {
    const gap = text.slice(end, place);
    // Counted by hand: a pattern that ends with the text is tried from each place of a long gap.
    let opening = 0;
    while (/[\p{Ps}\p{Pi}"'¿¡]/u.test(gap.charAt(gap.length - 1 - opening))) opening += 1;
    // Next to skipped words, a word keeps only the punctuation that touches it.
    const touching = /^[^\s\p{L}\p{N}\p{Ps}\p{Pi}]*/u.exec(gap)?.[0].length ?? 0;
    const own = /[\p{L}\p{N}]/u.test(gap) ? touching : Math.max(touching, gap.length - opening);
    if (open) open.text = text.slice(begin, end + own).trim();
    return Math.max(place - opening, open ? end + own : 0);
  }

  for (const segment of segments) {
    const own = lettersOf(segment.text).letters;
    // Punctuation that is a segment of its own comes with the word before it.
    if (own === '' && open) continue;
    const at = own === '' ? -1 : find(letters, own, next);
    if (at < 0) {
      written.push({ ...segment });
      continue;
    }
    const previous = written.at(-1);
    const from = closeBefore(places[at] ?? 0);
    // Only of a neighbour in the text is known what is between the two.
    const isKnown = previous !== undefined && previous === open;
    open = { ...segment, ...(isKnown && { isJoined: /\S/.test(text.charAt(from - 1)) }) };
    written.push(open);
    begin = from;
    next = at + own.length;
    const last = places[next - 1] ?? 0;
    end = last + String.fromCodePoint(text.codePointAt(last) ?? 0).length;
  }
  closeBefore(text.length);
  return written;
}

type Written = { -readonly [Name in keyof TimedText]: TimedText[Name] };

function find(letters: string, own: string, next: number): number {
  if (letters.startsWith(own, next)) return next;
  if (own.length < minimumLetters) return -1;
  const at = letters.slice(next, next + reach + own.length).indexOf(own);
  return at < 0 ? -1 : next + at;
}

/** The letters and digits of a text in lower case, and the place of each. */
function lettersOf(text: string): { readonly letters: string; readonly places: readonly number[] } {
  const places: number[] = [];
  let letters = '';
  for (const { 0: letter, index } of text.matchAll(/[\p{L}\p{M}\p{N}]/gu)) {
    const lower = letter.toLowerCase();
    letters += lower;
    for (let unit = 0; unit < lower.length; unit += 1) places.push(index);
  }
  return { letters, places };
}
