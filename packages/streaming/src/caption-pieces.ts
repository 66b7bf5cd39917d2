/** Text with its times in seconds; a word, a character or a whole sentence. */
export interface TimedText {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly chunk_seq?: number;
}

/** What a caption line is made of: never broken further. */
export interface TimedPiece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly chunk_seq: number | undefined;
  /** Whether a space stands between this piece and the one before on the same line. */
  readonly spaceBefore: boolean;
  /** Columns. */
  readonly width: number;
}

// Scripts written without spaces between words, and the full-width punctuation that goes with them.
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\u30fb-\u30fe\uff01-\uff60`;
// Never at the start of a line, and never after a space.
const closing = String.raw`,.!?;:…%)\]}»”’。，、！？；：」』】）》〉`;

/**
 * Cuts segments into the pieces of caption lines. A segment of several words (a transcript's sentence) is cut at its
 * spaces, its time shared out by width. Segments of white space alone vanish.
 */
export function splitIntoPieces(segments: readonly TimedText[]): TimedPiece[] {
  const patterns = compilePatterns();
  const pieces: TimedPiece[] = [];
  let previous = '';
  for (const segment of segments) {
    const words = patterns.words(segment.text);
    const widths = words.map((word) => columns(word));
    const total = widths.reduce((sum, width) => sum + width, 0) || 1;
    let before = 0;
    words.forEach((text, index) => {
      const width = widths[index] ?? 0;
      const duration = segment.end - segment.start;
      pieces.push({
        text,
        start: segment.start + (duration * before) / total,
        end: segment.start + (duration * (before + width)) / total,
        chunk_seq: segment.chunk_seq,
        spaceBefore: patterns.wantsSpace(previous, text),
        width,
      });
      before += width;
      previous = text;
    });
  }
  return pieces;
}

/** Columns of a text: two for a wide character, none for a combining mark. */
export function columns(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}|\u200d/u.test(character)) continue;
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}

function compilePatterns(): {
  words(text: string): string[];
  wantsSpace(before: string, after: string): boolean;
} {
  const word = new RegExp(`[${unspaced}]\\p{M}*[${closing}]*|[^\\s${unspaced}]+[${closing}]*`, 'gu');
  const endsUnspaced = new RegExp(`[${unspaced}]\\p{M}*[${closing}]*$`, 'u');
  const startsUnspaced = new RegExp(`^[${unspaced}]`, 'u');
  const onlyClosing = new RegExp(`^[${closing}]+$`, 'u');
  return {
    words: (text) => text.match(word) ?? [],
    wantsSpace: (before, after) =>
      !endsUnspaced.test(before) && !startsUnspaced.test(after) && !onlyClosing.test(after),
  };
}
