import { abbreviations } from '@speech-api/types/abbreviations';

/** The calls for a long text. */
export interface SpeechPlan {
  /** The texts of the single calls. */
  readonly parts: readonly string[];
  /** Estimated duration at normal speed. */
  readonly estimatedSeconds: number;
}

/** A Chinese character is a syllable. */
const lettersOfHan = 3;
/** Letters per second of a usual reader. */
const usualLetters = 14;

/**
 * Says what `speakLong` would send, without sending anything.
 *
 * @throws TypeError for what is no text, and RangeError for a text that is empty.
 */
export function planSpeech(
  text: string,
  options: { readonly maximumCharacters?: number | undefined } = {},
): SpeechPlan {
  const { maximumCharacters = 3000 } = options;
  if (!(maximumCharacters >= 100))
    throw new RangeError(`maximumCharacters is ${maximumCharacters}; use 100 or more`);
  if (typeof text !== 'string') throw new TypeError('text must be a string; the request is { text }');
  if (text.trim() === '') throw new RangeError('text is empty; there is nothing to speak');
  return { parts: splitText(text, maximumCharacters), estimatedSeconds: lettersOf(text) / usualLetters };
}

/** Counts spoken letters: markup, tags and directions in brackets are not spoken. */
export function lettersOf(text: string): number {
  const spoken = text.replaceAll(/<[^<>]*>|\[[^\]]*\]|\([^)]*\)/g, '');
  const han = spoken.match(/\p{Script=Han}/gu)?.length ?? 0;
  return (spoken.match(/[\p{L}\p{N}]/gu)?.length ?? 0) + (lettersOfHan - 1) * han;
}

const speakerTag = /<\|speaker:\d+\|>/g;
/** Text that is never cut in two: a tag, or a direction such as `[whispering]` or `(whispering)`. */
const whole = /<\|[^|]{1,80}\|>|\[[^[\]\n]{1,80}\]|\([^()\n]{1,80}\)/g;

/**
 * Cuts a text at paragraphs, where those are too long at sentences, and only then at spaces. A part of a dialogue begins
 * with its speaker.
 *
 * @param maximumCharacters - Unicode code points a part may have.
 */
export function splitText(text: string, maximumCharacters: number): string[] {
  const parts: string[] = [];
  let open = '';
  let speaker = '';
  const longestTag = Math.max(0, ...(text.match(speakerTag) ?? []).map((tag) => tag.length));
  for (const piece of piecesOf(text, maximumCharacters - longestTag)) {
    const isEmpty = open.trim() === '' || open.trim() === speaker;
    if (!isEmpty && lengthOf((open + piece).trim()) > maximumCharacters) {
      parts.push(open.trim());
      open = /^\s*<\|speaker:/.test(piece) ? '' : speaker;
    }
    open += piece;
    speaker = piece.match(speakerTag)?.at(-1) ?? speaker;
  }
  return [...parts, open.trim()].filter((part) => part !== '');
}

/** Yields pieces that together are the text; only an unbreakable direction or grapheme may be too long. */
function* piecesOf(text: string, maximum: number): Generator<string> {
  for (const paragraph of text.split(/(?<=\n[^\S\n]*\n)/)) {
    if (lengthOf(paragraph) <= maximum) {
      yield paragraph;
      continue;
    }
    for (const sentence of outsideOf(sentencesOf(paragraph), paragraph)) {
      if (lengthOf(sentence) <= maximum) yield sentence;
      else yield* wordsOf(sentence, maximum);
    }
  }
}

function* wordsOf(sentence: string, maximum: number): Generator<string> {
  for (const word of outsideOf(sentence.split(/(?<=\s)/), sentence)) {
    if (lengthOf(word) <= maximum) {
      yield word;
      continue;
    }
    // No script has words this long; this may be a line of Chinese without a full stop.
    let open = '';
    for (const grapheme of outsideOf(segmentsOf(word, 'grapheme'), word)) {
      if (open !== '' && lengthOf(open + grapheme) > maximum) {
        yield open;
        open = '';
      }
      open += grapheme;
    }
    yield open;
  }
}

const knownAbbreviations: ReadonlySet<string> = new Set(abbreviations);

/** A full stop after an abbreviation or an initial does not end a sentence. */
function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let open = '';
  for (const piece of segmentsOf(text, 'sentence')) {
    open += piece;
    const [, word = ''] = /(?:^|[^\p{L}.])([\p{L}.]+)\.\s*$/u.exec(piece) ?? [];
    if (knownAbbreviations.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word)) continue;
    sentences.push(open);
    open = '';
  }
  return open === '' ? sentences : [...sentences, open];
}

function segmentsOf(text: string, granularity: 'sentence' | 'grapheme'): string[] {
  return [...new Intl.Segmenter(undefined, { granularity }).segment(text)].map(({ segment }) => segment);
}

/** The pieces of a text, joined where a cut would be inside a tag or a direction. */
function* outsideOf(pieces: readonly string[], text: string): Generator<string> {
  const ranges = [...text.matchAll(whole)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  let position = 0;
  let next = 0;
  let open = '';
  for (const piece of pieces) {
    open += piece;
    position += piece.length;
    while ((ranges[next]?.end ?? Number.POSITIVE_INFINITY) <= position) next += 1;
    if ((ranges[next]?.start ?? Number.POSITIVE_INFINITY) < position) continue;
    yield open;
    open = '';
  }
  if (open !== '') yield open;
}

export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
