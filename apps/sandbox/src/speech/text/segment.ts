import type { Ending } from '../prosody/pauses.ts';
import { cutQuality, qualityBefore } from './cut-quality.ts';
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

function makeChunk(characters: readonly SpokenCharacter[], quality: number): TextChunk {
  const content = characters
    .map(({ written }) => written)
    .join('')
    .trim();
  const ending = quality === cutQuality.clause ? 'clause' : quality === cutQuality.word ? 'word' : 'sentence';
  return { characters, content, ending };
}

/** A silence that a tag asks for is not skipped. */
function skipSpaces(characters: readonly SpokenCharacter[], from: number): number {
  let index = from;
  while (/^\s$/u.test(characters[index]?.written ?? '') && characters[index]?.pause === undefined) index += 1;
  return index;
}
