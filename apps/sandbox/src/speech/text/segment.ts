import type { Ending } from '../prosody/pauses.ts';
import type { SpokenCharacter } from './spoken-text.ts';
import { hasTokens } from './tokens.ts';

export interface SegmentOptions {
  /** Code points in a chunk at most. */
  readonly chunkLength: number;
  /** Code points a chunk has before another may begin. */
  readonly minimumChunkLength: number;
  /** Begin a new chunk at every sentence: the first sound comes sooner, and the voice pauses more alike. */
  readonly eager: boolean;
}

export interface TextChunk {
  readonly characters: readonly SpokenCharacter[];
  /** The caller's words for it, tags taken out. */
  readonly content: string;
  readonly ending: Ending;
}

/** How good a place to cut is: after a sentence, a clause, a word, or inside one. */
const cutQuality = { sentence: 3, clause: 2, word: 1, inside: 0 } as const;

const abbreviations = new Set(
  'mr mrs ms dr prof sr jr st vs etc no vol fig inc ltd co jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e a.m p.m'.split(
    ' ',
  ),
);

/**
 * Cuts a text into chunks, at ends of sentences where it can, else of clauses, else of words. It looks no further
 * than the chunk it is asked for: a hundred thousand characters must not hold up the first sentence.
 */
export function* segmentText(
  characters: readonly SpokenCharacter[],
  options: SegmentOptions,
): Generator<TextChunk, void, undefined> {
  let first: TextChunk | undefined;
  let said = false;
  let start = skipSpaces(characters, 0);
  while (start < characters.length) {
    const end = chunkEnd(characters, start, options);
    const chunk = makeChunk(characters.slice(start, end), qualityBefore(characters, end));
    first ??= chunk;
    // One with nothing to say is left out, unless the whole text is like that.
    if (hasTokens(chunk.characters.map(({ spoken }) => spoken))) {
      said = true;
      yield chunk;
    }
    start = skipSpaces(characters, end);
  }
  if (!said && first !== undefined) yield first;
}

function chunkEnd(
  characters: readonly SpokenCharacter[],
  start: number,
  { chunkLength, minimumChunkLength, eager }: SegmentOptions,
): number {
  const first = start + Math.max(1, minimumChunkLength);
  const last = Math.min(start + chunkLength, characters.length);
  if (!eager && characters.length - start <= chunkLength) return characters.length;
  const qualities: number[] = [];
  for (let end = first; end <= last; end += 1) qualities.push(qualityBefore(characters, end));
  if (eager) {
    const end = first + qualities.indexOf(cutQuality.sentence);
    if (end >= first && end < last) return end;
  }
  if (characters.length - start <= chunkLength) return characters.length;
  for (const quality of [cutQuality.sentence, cutQuality.clause, cutQuality.word]) {
    const index = qualities.findLastIndex((found) => found >= quality);
    if (index >= 0) return first + index;
  }
  return last;
}

/** The quality of a cut before the character at the index. */
function qualityBefore(characters: readonly SpokenCharacter[], index: number): number {
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
function lastMark(characters: readonly SpokenCharacter[], from: number): string {
  for (let index = from; index >= 0; index -= 1) {
    const written = characters[index]?.written ?? '';
    if (!/[\s"'”’»)\]）】》」』]/u.test(written)) return written;
  }
  return '';
}

/** A full stop after an abbreviation or an initial, or before a small letter, ends nothing. */
function endsSentence(characters: readonly SpokenCharacter[], index: number): boolean {
  if (/\p{Ll}/u.test(characters[index]?.written ?? '')) return false;
  const line = characters
    .slice(Math.max(0, index - 24), index)
    .map(({ written }) => written)
    .join('');
  const word = /([\p{L}.]+)\.\s*$/u.exec(line)?.[1] ?? '';
  return !abbreviations.has(word.toLowerCase()) && !/^\p{Lu}$/u.test(word);
}

function makeChunk(characters: readonly SpokenCharacter[], quality: number): TextChunk {
  const content = characters
    .map(({ written }) => written)
    .join('')
    .trim();
  const ending = quality === cutQuality.clause ? 'clause' : quality === cutQuality.word ? 'word' : 'sentence';
  return { characters, content, ending };
}

function skipSpaces(characters: readonly SpokenCharacter[], from: number): number {
  let index = from;
  while (/^\s$/u.test(characters[index]?.spoken ?? '')) index += 1;
  return index;
}
