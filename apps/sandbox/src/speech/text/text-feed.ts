import { defaultModel, expressionStyles } from '@speech-api/types';
import { abbreviations } from '@speech-api/types/abbreviations';
import { type Ending, pauseOfTag } from '../prosody.ts';
import { hasTokens, type SpokenCharacter, spokenForm, unitsOf } from './characters.ts';

/** Text up to a flush, or the end. */
interface Part {
  text: string;
  /** Whether any text was written to it. */
  begun: boolean;
  complete: boolean;
}

/** UTF-16 units prepared at once: a hundred thousand units must not delay the first sentence or other requests. */
const portion = 1000;

/**
 * A text that is written bit by bit and read chunk by chunk. What is read depends on what was written and where it was
 * flushed, never on when.
 */
export class TextFeed {
  readonly #preparer: TextPreparer;
  readonly #segmenter: TextSegmenter;
  readonly #parts: Part[] = [newPart()];
  #ended = false;
  #given = false;

  constructor(options: PrepareOptions & SegmentOptions) {
    this.#preparer = new TextPreparer(options);
    this.#segmenter = new TextSegmenter(options);
  }

  get finished(): boolean {
    return this.#ended && this.#parts.length === 0;
  }

  write(text: string): void {
    const part = this.#parts.at(-1);
    if (this.#ended || part === undefined) throw new Error('The text has ended.');
    if (text === '') return;
    part.text += text;
    part.begun = true;
  }

  /** Makes the text written so far readable without waiting for more. */
  flush(): void {
    const part = this.#parts.at(-1);
    if (this.#ended || part === undefined || !part.begun) return;
    part.complete = true;
    this.#parts.push(newPart());
  }

  end(): void {
    const part = this.#parts.at(-1);
    if (part !== undefined) part.complete = true;
    this.#ended = true;
  }

  /** The next chunk, or `undefined` when there is none yet or the feed is finished. At least one is given. */
  next(): TextChunk | undefined {
    for (;;) {
      const [part] = this.#parts;
      if (part === undefined) return undefined;
      const chunk = this.#segmenter.next('more') ?? this.#read(part);
      if (chunk !== undefined) {
        this.#given = true;
        return chunk;
      }
      if (part.text !== '') continue;
      if (!part.complete) return undefined;
      this.#segmenter.restart();
      this.#parts.shift();
      if (this.#parts.length === 0 && !this.#given) {
        this.#given = true;
        return this.#segmenter.firstWithoutWords ?? silence;
      }
    }
  }

  /** Passes on some of the part's text, and at its end everything that remains. */
  #read(part: Part): TextChunk | undefined {
    this.#segmenter.write(this.#preparer.write(part.text.slice(0, portion)));
    part.text = part.text.slice(portion);
    if (part.text !== '' || !part.complete) return this.#segmenter.next('more');
    this.#segmenter.write(this.#preparer.end());
    return this.#segmenter.next(this.#isLast(part) ? 'none' : 'later');
  }

  #isLast(part: Part): boolean {
    return this.#ended && this.#parts.at(-1) === part;
  }
}

function newPart(): Part {
  return { text: '', begun: false, complete: false };
}

export interface PrepareOptions {
  readonly speakers: number;
  readonly tags: TagStyle;
  /** Reads numbers as such and not digit by digit, and typographic apostrophes as plain ones. */
  readonly normalize: boolean;
}

/** The tags that models take out of a text. What is between the tags of a phoneme is read as it is written. */
const knownTag = /<\|(?:speaker:(\d{1,9})|phoneme_(?:start|end))\|>/gu;
/** UTF-16 units that a tag may have, with a character after it: beyond them it is text. */
const longestTag = 200;

/** Removes what is not spoken: speaker tags and expression tags. */
export function prepareText(text: string, options: PrepareOptions): SpokenCharacter[] {
  const preparer = new TextPreparer(options);
  return [...preparer.write(text), ...preparer.end()];
}

/** Prepares a text that comes bit by bit: a tag may begin in one portion and end in another. */
class TextPreparer {
  readonly #options: PrepareOptions;
  /** The end of the text so far, which may be the start of a tag or of a character. */
  #held = '';
  #speaker = 0;

  constructor(options: PrepareOptions) {
    this.#options = options;
  }

  write(text: string): SpokenCharacter[] {
    const whole = this.#held + text;
    const end = certainEnd(whole, this.#options.tags);
    this.#held = whole.slice(end);
    return this.#prepare(whole.slice(0, end));
  }

  /** Releases held-back text when nothing can follow that would belong to it. */
  end(): SpokenCharacter[] {
    const rest = this.#held;
    this.#held = '';
    return this.#prepare(rest);
  }

  #prepare(text: string): SpokenCharacter[] {
    const characters: SpokenCharacter[] = [];
    const add = (part: string): void => {
      for (const written of unitsOf(part)) {
        const spoken = spokenForm(written, this.#options.normalize);
        characters.push({ written, spoken, speaker: this.#speaker });
      }
    };
    let start = 0;
    for (const cut of findCuts(text, this.#options)) {
      add(text.slice(start, cut.start));
      this.#speaker = cut.speaker ?? this.#speaker;
      const pause = cut.pause ? { pause: cut.pause } : {};
      // A space, so that the words on both sides stay apart.
      characters.push({ written: ' ', spoken: ' ', speaker: this.#speaker, ...pause });
      start = cut.end;
    }
    add(text.slice(start));
    return characters;
  }
}

/** The end of the text whose meaning is certain: before an incomplete tag, and before the last character. */
function certainEnd(text: string, { open, close }: TagStyle): number {
  const end = text.length - (unitsOf(text.slice(-longestTag)).at(-1)?.length ?? 0);
  return Math.min(startOfTag(text, '<|', '|>', end), startOfTag(text, open, close, end));
}

/** The start of a tag that is not complete at the end, or the end: what follows a bracket decides whether it is a link. */
function startOfTag(text: string, open: string, close: string, end: number): number {
  const start = text.lastIndexOf(open);
  if (start < 0 || text.length - start >= longestTag) return end;
  const closed = text.indexOf(close, start);
  return closed < 0 || closed + close.length >= end ? Math.min(start, end) : end;
}

interface Cut {
  readonly start: number;
  readonly end: number;
  readonly speaker?: number;
  /** Seconds of silence. */
  readonly pause?: number;
}

function findCuts(text: string, options: PrepareOptions): Cut[] {
  const tags = [...text.matchAll(knownTag)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    ...(match[1] === undefined ? {} : { speaker: Math.min(Number(match[1]), options.speakers - 1) }),
  }));
  return [...tags, ...expressionTags(text, options.tags)].sort((left, right) => left.start - right.start);
}

/** Syntax of directions in a model's text: the delimiters, and whether only listed directions are valid. */
export type TagStyle = (typeof expressionStyles)[keyof typeof expressionStyles];

/** A model that the specification does not know has the style of the default model. */
export function tagStyleOf(model: string): TagStyle {
  return (
    Object.entries(expressionStyles).find(([name]) => name === model)?.[1] ?? expressionStyles[defaultModel]
  );
}

/** A direction begins with a letter. Brackets with an address behind them are a link. */
const patterns = {
  '(': /\((\p{L}[^()\n]{0,190})\)/gu,
  '[': /\[(\p{L}[^[\]\n]{0,190})\](?!\()/gu,
} as const;
/** Finds every direction of the style, also free ones; any other parenthesis or bracket is part of the text. */
function expressionTags(text: string, { open, tags }: TagStyle): Cut[] {
  return [...text.matchAll(patterns[open])].flatMap((match) => {
    const pause = pauseOfTag(match[1] ?? '') ?? (tags === 'free' ? 0 : undefined);
    return pause === undefined ? [] : [{ start: match.index, end: match.index + match[0].length, pause }];
  });
}

interface SegmentOptions {
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

/** The chunk of a text of nothing but spaces and tags: every answer needs some audio. */
const silence: TextChunk = { characters: [], content: '', ending: 'sentence' };

/** Whether more text follows the text that is being cut. */
type Rest = 'more' | 'none' | 'later';

/** Characters kept before the next chunk, for what a cut is judged by: abbreviations, closing marks. */
const lookBack = 64;
const mostKept = 1024;

/**
 * Cuts a text into chunks, at ends of sentences where it can, else of clauses, else of words. The text may come bit by
 * bit: a chunk is given as soon as nothing that follows could change it, so that the cuts do not depend on when or in
 * what portions the text came.
 */
class TextSegmenter {
  readonly #options: SegmentOptions;
  #characters: SpokenCharacter[] = [];
  #start = 0;
  /** Before this place there is no end of a sentence to cut at. */
  #searched = 0;
  /** Given only if the whole text has no words. */
  firstWithoutWords: TextChunk | undefined;

  constructor(options: SegmentOptions) {
    this.#options = options;
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
      if (hasTokens(chunk.characters)) return chunk;
      this.firstWithoutWords ??= chunk;
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
    const last = this.#fitting(chunkLength);
    if (eager) {
      for (let end = Math.max(first, this.#searched); end < last; end += 1) {
        if (qualityBefore(characters, end) === cutQuality.sentence) return end;
      }
      this.#searched = last;
    }
    if (last === characters.length) return rest === 'more' ? undefined : last;
    const qualities: number[] = [];
    for (let end = first; end <= last; end += 1) qualities.push(qualityBefore(characters, end));
    for (const quality of [cutQuality.sentence, cutQuality.clause, cutQuality.word]) {
      const index = qualities.findLastIndex((value) => value >= quality);
      if (index >= 0) return first + index;
    }
    return last;
  }

  /** Place after the characters that have no more than so many code points, and one at least. */
  #fitting(codePoints: number): number {
    let end = this.#start;
    for (let rest = codePoints; end < this.#characters.length; end += 1) {
      rest -= [...(this.#characters[end]?.written ?? '')].length;
      if (rest < 0 && end > this.#start) break;
    }
    return end;
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

/** End of a cut after text that must be spoken now although more follows: at least after a clause. */
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
const cutQuality = { sentence: 3, clause: 2, word: 1, inside: 0 } as const;

const knownAbbreviations: ReadonlySet<string> = new Set(abbreviations);

/** The quality of a cut before the character at the index. */
function qualityBefore(characters: readonly Written[], index: number): number {
  const here = characters[index];
  const before = characters[index - 1];
  // The end of the text counts as the end of a sentence.
  if (here === undefined) return cutQuality.sentence;
  if (before === undefined) return cutQuality.inside;
  if (here.speaker !== before.speaker) return cutQuality.sentence;
  if (/^\w$/.test(before.written)) return cutQuality.inside;
  if (before.written.endsWith('\n')) return cutQuality.sentence;
  // The cut goes after spaces and closing marks, not before them.
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
function lastMark(characters: readonly Written[], from: number): string {
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
  return !knownAbbreviations.has(word.toLowerCase()) && !/^\p{Lu}$/u.test(word);
}
