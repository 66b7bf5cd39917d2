import { abbreviations } from '@speech-api/types/abbreviations';
import type { Ending } from '../prosody.ts';
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

/** Remaining input of a text that is being cut. */
export type Rest = 'more' | 'none' | 'later';

/** Characters kept before the next chunk, for what a cut is judged by: abbreviations, closing marks. */
const lookBack = 64;
const mostKept = 1024;

/**
 * Cuts a text into chunks, at ends of sentences where it can, else of clauses, else of words. The text may come bit by
 * bit: a chunk is given as soon as nothing that follows could change it, so that the cuts do not depend on when or in
 * what portions the text came.
 */
export class TextSegmenter {
  readonly #options: SegmentOptions;
  #characters: SpokenCharacter[] = [];
  #start = 0;
  /** Before this place there is no end of a sentence to cut at. */
  #searched = 0;
  #first: TextChunk | undefined;

  constructor(options: SegmentOptions) {
    this.#options = options;
  }

  /** The first chunk with nothing to say, which is only spoken when the whole text is like that. */
  get unsayable(): TextChunk | undefined {
    return this.#first;
  }

  write(characters: readonly SpokenCharacter[]): void {
    for (const character of characters) this.#characters.push(character);
  }

  /**
   * The next chunk with something to say, or `undefined` when there is none yet.
   *
   * @param rest `more`: text may follow at once. `later`: it may, and what is there is to be said now. `none`: this is
   * the end of the text.
   */
  next(rest: Rest): TextChunk | undefined {
    for (;;) {
      this.#skipSpaces();
      if (this.#start >= this.#characters.length) return undefined;
      const end = this.#end(rest);
      if (end === undefined) return undefined;
      const chunk = this.#take(end, rest);
      if (hasTokens(chunk.characters.map(({ spoken }) => spoken))) return chunk;
      this.#first ??= chunk;
    }
  }

  /** Forgets the characters so far: the text that follows is independent of them. */
  restart(): void {
    this.#characters = [];
    this.#start = 0;
    this.#searched = 0;
  }

  /** End of the next chunk, if it is known. */
  #end(rest: Rest): number | undefined {
    const { chunkLength, minimumChunkLength, eager } = this.#options;
    const characters = this.#characters;
    const first = this.#start + Math.max(1, minimumChunkLength);
    const last = Math.min(this.#start + chunkLength, characters.length);
    if (eager) {
      for (let end = Math.max(first, this.#searched); end < last; end += 1) {
        if (qualityBefore(characters, end) === cutQuality.sentence) return end;
      }
      this.#searched = last;
    }
    if (characters.length - this.#start <= chunkLength) {
      return rest === 'more' ? undefined : characters.length;
    }
    const qualities: number[] = [];
    for (let end = first; end <= last; end += 1) qualities.push(qualityBefore(characters, end));
    for (const quality of [cutQuality.sentence, cutQuality.clause, cutQuality.word]) {
      const index = qualities.findLastIndex((found) => found >= quality);
      if (index >= 0) return first + index;
    }
    return last;
  }

  #take(end: number, rest: Rest): TextChunk {
    const characters = this.#characters;
    const quality =
      rest === 'later' && end === characters.length
        ? qualityOfEnd(characters)
        : qualityBefore(characters, end);
    const chunk = makeChunk(characters.slice(this.#start, end), quality);
    this.#start = end;
    if (end > mostKept) {
      this.#characters = characters.slice(end - lookBack);
      this.#start = lookBack;
    }
    this.#searched = this.#start;
    return chunk;
  }

  /** A silence that a tag asks for is not skipped. */
  #skipSpaces(): void {
    for (;;) {
      const character = this.#characters[this.#start];
      if (character?.pause !== undefined || !/^\s$/u.test(character?.written ?? '')) return;
      this.#start += 1;
    }
  }
}

/** Text that is to be said now and that goes on later: as after a clause at least, so that all of it can be heard. */
function qualityOfEnd(characters: readonly SpokenCharacter[]): number {
  return /[.!?…。！？]/u.test(lastMark(characters, characters.length - 1))
    ? cutQuality.sentence
    : cutQuality.clause;
}

function makeChunk(characters: readonly SpokenCharacter[], quality: number): TextChunk {
  const content = characters
    .map(({ written }) => written)
    .join('')
    .trim();
  const ending = quality === cutQuality.clause ? 'clause' : quality === cutQuality.word ? 'word' : 'sentence';
  return { characters, content, ending };
}

/** The properties of a character that decide where to cut. */
interface Written {
  readonly written: string;
  readonly spoken: string;
  readonly speaker: number;
}

/** Quality of a place to cut: after a sentence, a clause, a word, or inside one. */
export const cutQuality = { sentence: 3, clause: 2, word: 1, inside: 0 } as const;

const known: ReadonlySet<string> = new Set(abbreviations);

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
  return !known.has(word.toLowerCase()) && !/^\p{Lu}$/u.test(word);
}
