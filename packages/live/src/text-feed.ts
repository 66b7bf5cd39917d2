import { RequestError } from '@speech-api/client';
import type { Life } from './life.ts';
import type { Pace } from './pace.ts';
import type { TextOut } from './text-out.ts';

/** Options for cutting and holding back text from a language model. */
export interface FeedOptions {
  /**
   * Characters that the first clause has at least before it is spoken on its own; below it goes with the next one.
   * @defaultValue 12
   */
  readonly firstClauseCharacters?: number | undefined;
  /**
   * Text waits while more than so many seconds are ahead of playback, in audio that came and in text whose audio is
   * still to come (estimated): what nobody listens to is not billed. A sentence that has begun is sent whole. What
   * `write` gives is not held. `Infinity` never waits. @defaultValue 4
   */
  readonly aheadSeconds?: number | undefined;
}

/** Playback is checked this often while text waits, because it may have stopped. */
const lookMilliseconds = 100;

/**
 * Sends text as it is written: the first clause at once, then whole sentences. A text that is there at once is spoken as
 * the server cuts it, and flushed only where it waits.
 */
export async function feedText(
  source: string | AsyncIterable<string>,
  { firstClauseCharacters = 12, aheadSeconds = 4 }: FeedOptions,
  out: Pick<TextOut, 'write' | 'flush'>,
  pace: Pick<Pace, 'secondsAhead'>,
  life: FeedLife,
): Promise<void> {
  const isWhole = typeof source === 'string';
  if (isWhole && aheadSeconds === Number.POSITIVE_INFINITY) return out.write(source);
  const cutter = new TextCutter(firstClauseCharacters);
  let owesFlush = false;
  const send = async (cuts: Iterable<Cut>): Promise<void> => {
    for (const { text, flush } of cuts) {
      while (!life.ended) {
        const over = (pace.secondsAhead() - aheadSeconds) * 1000;
        if (over <= 0) break;
        // Without a flush, the text that the server has collected would wait for the text that waits here.
        if (owesFlush) out.flush();
        owesFlush = false;
        await newsWithin(life, Math.min(over + 1, lookMilliseconds));
      }
      if (life.ended) return;
      await out.write(text);
      owesFlush = isWhole || !flush;
      if (!owesFlush) out.flush();
    }
  };
  for await (const piece of isWhole ? [source] : readAhead(source, life)) {
    // A stored answer may come in one piece.
    for (const slice of slicesOf(textOf(piece))) await send(cutter.push(slice));
  }
  if (!life.ended) await send(cutter.end(isWhole));
}

/** What the feed needs of the life of its utterance. */
type FeedLife = Pick<Life, 'ended' | 'ending' | 'tell' | 'untilNews'>;

/** Settles after a time, or as soon as something happens. */
async function newsWithin(life: FeedLife, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([over, life.untilNews()]);
  clearTimeout(timer);
}

/** Characters that are read and not sent yet, above which a source waits. */
const maximumReadAhead = 200_000;

/**
 * Reads a source ahead of what is sent: one that is filled before anybody reads the audio would wait for ever for the
 * text to be sent, which waits for the audio to be read. Ends with the utterance, and no longer awaits the source then.
 */
async function* readAhead(source: AsyncIterable<string>, life: FeedLife): AsyncGenerator<unknown> {
  const iterator = source[Symbol.asyncIterator]();
  const pieces: unknown[] = [];
  const failures: unknown[] = [];
  let characters = 0;
  let isOver = false;
  // Never waited for: a source that waits for a model may take its time.
  void (async () => {
    try {
      while (!life.ended && !life.ending) {
        const { value, done } = await iterator.next();
        if (done || life.ending) break;
        pieces.push(value);
        characters += lengthOf(value);
        life.tell();
        while (characters > maximumReadAhead && !life.ended) await life.untilNews();
      }
    } catch (error) {
      // What was read before it is still to be spoken.
      failures.push(error);
    }
    isOver = true;
    life.tell();
  })();
  try {
    while (!life.ended) {
      if (pieces.length > 0) {
        const piece = pieces.shift();
        characters -= lengthOf(piece);
        life.tell();
        yield piece;
      } else if (failures.length > 0) throw failures[0];
      else if (isOver || life.ending) return;
      else await life.untilNews();
    }
  } finally {
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

const lengthOf = (piece: unknown): number => (typeof piece === 'string' ? piece.length : 0);

const sliceCharacters = 200;

function* slicesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; from += sliceCharacters)
    yield text.slice(from, from + sliceCharacters);
}

/**
 * Refuses a text that would be billed and never heard, or would be spoken as `[object Object]`.
 *
 * @throws RequestError
 */
export function checkText(text: string | AsyncIterable<string>): void {
  if (typeof text === 'string') {
    if (text.trim() === '') throw new RequestError('the text is empty', { field: 'text' });
  } else if (typeof (text as AsyncIterable<string> | null)?.[Symbol.asyncIterator] !== 'function') {
    throw notText('the text', text);
  }
}

/** Language models often yield an empty delta, which is not text; anything else that is not text would be spoken. */
function textOf(piece: unknown): string {
  if (piece === undefined || piece === null) return '';
  if (typeof piece !== 'string') throw notText('a piece of the text', piece);
  return piece;
}

function notText(what: string, value: unknown): RequestError {
  const kind = Array.isArray(value) ? 'an array' : typeof value;
  return new RequestError(`${what} is ${kind}; give a string, or an AsyncIterable of strings`, {
    field: 'text',
  });
}

/** A piece of text to send; `flush` has it spoken without waiting for more. */
export interface Cut {
  readonly text: string;
  readonly flush: boolean;
}

/** Longer without an end of a sentence, text is sent on without a flush: the server goes on collecting. */
const maximumPiece = 300;
/** A bracket that is not closed within so many characters opens no tag. */
const maximumTag = 200;

const closers = `"'”’»)\\]}`;
const clauseEnd = new RegExp(
  `[,;:.!?…—–،؛؟।]+[${closers}]*(?=\\s)|[，；：、。！？]+[${closers}」』）]*|\\n`,
  'gu',
);
/** Without one of these there is no end of a sentence to look for. */
const mayEnd = /\p{Sentence_Terminal}|[…\n]/u;
/** In scripts without spaces a sentence ends with its mark, in others with the white space behind it. */
const endedByMark = new RegExp(`[。！？｡][${closers}」』）]*$`, 'u');
const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
const abbreviations = new Set(
  (
    'mr mrs ms mx dr prof sr jr st rev hon gen col capt lt sgt gov sen rep pres vs etc no nos fig figs vol vols ed eds ' +
    'ch sec art al approx est inc ltd co corp dept univ ave blvd rd mt ft jan feb mar apr jun jul aug sep sept oct nov ' +
    'dec mon tue tues wed thu thur thurs fri sat sun tel ext min max cf ca bzw usw evtl ggf nr str'
  ).split(' '),
);

/** Cuts a growing text where it may be spoken on its own. */
export class TextCutter {
  readonly #firstClauseCharacters: number;
  #text = '';
  #first = true;

  constructor(firstClauseCharacters: number) {
    this.#firstClauseCharacters = firstClauseCharacters;
  }

  /** Takes more text and gives what can be sent. */
  *push(text: string): Generator<Cut> {
    this.#text += text;
    for (;;) {
      const end = this.#findEnd();
      if (end === undefined) break;
      yield this.#take(end, true);
    }
    if (this.#text.length > maximumPiece) {
      const end = this.#findSpace();
      if (end > 0 && isSpeakable(this.#text.slice(0, end))) yield this.#take(end, false);
    }
  }

  /** Gives the rest, if there is anything to speak in it or all is asked for. */
  *end(all = false): Generator<Cut> {
    if (this.#text !== '' && (all || isSpeakable(this.#text))) yield this.#take(this.#text.length, false);
  }

  #take(end: number, flush: boolean): Cut {
    const text = this.#text.slice(0, end);
    this.#text = this.#text.slice(end);
    this.#first = false;
    return { text, flush };
  }

  /** Position where the first clause or sentence ends, after the white space that follows it. */
  #findEnd(): number | undefined {
    for (const behind of this.#first ? clauseEnds(this.#text) : sentenceEnds(this.#text)) {
      const before = this.#text.slice(0, behind).trimEnd();
      if (this.#first && before.trim().length < this.#firstClauseCharacters) continue;
      if (!isSpeakable(before) || isInTag(this.#text, before.length - 1)) continue;
      const ends = endsSentence(before, this.#text[behind]);
      // The character that decides it has not been written yet.
      if (ends === undefined) return undefined;
      if (ends) return behind;
    }
    return undefined;
  }

  /** The last white space that is not inside a tag. */
  #findSpace(): number {
    for (let index = this.#text.length - 1; index > 0; index -= 1) {
      if (/\s/.test(this.#text[index] ?? '') && !isInTag(this.#text, index)) return index + 1;
    }
    return 0;
  }
}

function* clauseEnds(text: string): Generator<number> {
  for (const match of text.matchAll(clauseEnd)) {
    const behind = match.index + match[0].length;
    yield behind + (/^\s*/.exec(text.slice(behind))?.[0].length ?? 0);
  }
}

/** Ends of sentences by Unicode's rules, also where the next sentence has not begun yet. */
function* sentenceEnds(text: string): Generator<number> {
  if (!mayEnd.test(text)) return;
  // A capital letter behind it shows whether the last sentence has ended.
  for (const { segment, index } of sentences.segment(`${text}A`)) {
    const end = index + segment.length;
    if (end <= text.length && (/\s$/u.test(segment) || endedByMark.test(segment))) yield end;
  }
}

/** True if the text has a letter or a digit outside its tags. */
function isSpeakable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text.replace(/<\|[^|]{0,200}\|>|\[[^\]]{0,200}\]/gu, ''));
}

/** True if a bracket that opened before `index` is still open there. */
function isInTag(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - maximumTag), index);
  return /\[[^\]]*$|\([^)]*$|<\|(?:(?!\|>)[\s\S])*$/u.test(before);
}

/**
 * True if a full stop at the end of `before` ends a sentence: not after an abbreviation, an initial, or a
 * number that continues. Undefined while the character that decides it is missing.
 */
function endsSentence(before: string, next: string | undefined): boolean | undefined {
  const word = /(\S+)\.$/u.exec(before)?.[1]?.replace(/^["'“‘«([]+/u, '');
  if (word === undefined) return true;
  if (abbreviations.has(word.toLowerCase()) || /^\p{L}$/u.test(word) || /^(?:\p{L}+\.)+\p{L}+$/u.test(word)) {
    return false;
  }
  if (!/\p{N}$/u.test(word)) return true;
  // "1. First" in a list, "3. May", "No. 3. 5"
  if (/^\p{N}{1,2}$/u.test(word) && /(?:^|\n)\s*\p{N}+\.$/u.test(before)) return false;
  if (next === undefined) return undefined;
  return !/[\p{Ll}\p{N}]/u.test(next);
}
