/** What a cut is judged by. */
interface Written {
  readonly written: string;
  readonly spoken: string;
  readonly speaker: number;
}

/** How good a place to cut is: after a sentence, a clause, a word, or inside one. */
export const cutQuality = { sentence: 3, clause: 2, word: 1, inside: 0 } as const;

const abbreviations = new Set(
  'mr mrs ms dr prof sr jr st vs etc no vol fig inc ltd co jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e a.m p.m'.split(
    ' ',
  ),
);

/** The quality of a cut before the character at the index. */
export function qualityBefore(characters: readonly Written[], index: number): number {
  const here = characters[index];
  const before = characters[index - 1];
  // The end of the text counts as the end of a sentence.
  if (here === undefined) return cutQuality.sentence;
  if (before === undefined) return cutQuality.inside;
  if (here.speaker !== before.speaker) return cutQuality.sentence;
  if (/^\w$/.test(before.written)) return cutQuality.inside;
  if (before.written === '\n') return cutQuality.sentence;
  // Cut after the spaces and the closing marks, not between them and what they follow.
  if (/[\s"'”’»)\]）】》」』]/u.test(here.written)) return cutQuality.inside;
  const mark = lastMark(characters, index - 1);
  const spaced = /\s/u.test(before.written);
  if (/[。！？]/u.test(mark)) return cutQuality.sentence;
  if (/[，；：、—]/u.test(mark)) return cutQuality.clause;
  if (spaced && /[.!?…]/u.test(mark))
    return endsSentence(characters, index) ? cutQuality.sentence : cutQuality.word;
  if (spaced && /[,;:]/u.test(mark)) return cutQuality.clause;
  if (spaced) return cutQuality.word;
  return /\p{Script=Han}/u.test(before.spoken) ? cutQuality.word : cutQuality.inside;
}

/** The last character that is neither a space nor a closing mark. */
export function lastMark(characters: readonly Written[], from: number): string {
  for (let index = from; index >= 0; index -= 1) {
    const written = characters[index]?.written ?? '';
    if (!/[\s"'”’»)\]）】》」』]/u.test(written)) return written;
  }
  return '';
}

/** A full stop after an abbreviation or an initial, or before a small letter, ends nothing. */
function endsSentence(characters: readonly Written[], index: number): boolean {
  if (/\p{Ll}/u.test(characters[index]?.written ?? '')) return false;
  const line = characters
    .slice(Math.max(0, index - 24), index)
    .map(({ written }) => written)
    .join('');
  const word = /([\p{L}.]+)\.\s*$/u.exec(line)?.[1] ?? '';
  return !abbreviations.has(word.toLowerCase()) && !/^\p{Lu}$/u.test(word);
}
