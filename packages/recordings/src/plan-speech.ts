import { maximumChapters, splitChapters } from './chapters.ts';
import { cutText, nameSpeakers } from './split-text.ts';

/** The calls and chapters for a long text. */
export interface SpeechPlan {
  /** The texts of the single calls. */
  readonly parts: readonly string[];
  /** The chapters, with the index of the part that each begins with. */
  readonly chapters: readonly {
    readonly title: string;
    readonly text: string;
    readonly firstPart: number;
  }[];
  /** About how long it is, at normal speed. */
  readonly estimatedSeconds: number;
}

/** A character of Chinese is a syllable. */
const lettersOfHan = 3;
/** Letters per second of a usual reader. */
const usualLetters = 14;

/**
 * Says what `speakLong` would send, without sending anything.
 *
 * @throws TypeError for what is no text, and RangeError for a text that is empty, or has no headings with `chapters: true`.
 */
export function planSpeech(
  text: string,
  options: { readonly maximumCharacters?: number | undefined; readonly chapters?: boolean | undefined } = {},
): SpeechPlan {
  const { maximumCharacters = 3000, chapters = false } = options;
  if (!(maximumCharacters >= 100))
    throw new RangeError(`maximumCharacters is ${maximumCharacters}; use 100 or more`);
  if (typeof text !== 'string') throw new TypeError('text must be a string; the request is { text }');
  if (text.trim() === '') throw new RangeError('text is empty; there is nothing to speak');
  const estimatedSeconds = lettersOf(text) / usualLetters;
  if (!chapters)
    return { parts: nameSpeakers(cutText(text, maximumCharacters)), chapters: [], estimatedSeconds };
  const found = splitChapters(text);
  if (found.length === 0)
    throw new RangeError(
      'text has no headings; begin them with #, underline them with ===, or leave out chapters',
    );
  if (found.length > maximumChapters)
    throw new RangeError(
      `text has ${found.length} chapters; the limit is ${maximumChapters}. Begin smaller headings with ###, or cut the text into several files`,
    );
  const parts: string[] = [];
  const planned = found.map((chapter) => {
    const firstPart = parts.length;
    parts.push(...cutText(chapter.text, maximumCharacters));
    return { ...chapter, firstPart };
  });
  return { parts: nameSpeakers(parts), chapters: planned, estimatedSeconds };
}

/** Letters that are heard: tags and directions in brackets are not. */
export function lettersOf(text: string): number {
  const spoken = text.replaceAll(/<\|[^|]*\|>|\[[^\]]*\]|\([^)]*\)/g, '');
  const han = spoken.match(/\p{Script=Han}/gu)?.length ?? 0;
  return (spoken.match(/[\p{L}\p{N}]/gu)?.length ?? 0) + (lettersOfHan - 1) * han;
}
