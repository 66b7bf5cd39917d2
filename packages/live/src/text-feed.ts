import { RequestError } from '@speech-api/client';
import type { Life } from './life.ts';
import type { Pace } from './pace.ts';
import type { TextOut } from './text-out.ts';

/** Playback is checked this often while text waits, because it may have stopped. */
const lookMilliseconds = 100;

/** Characters that are read and not sent yet, above which a source waits. */
const maximumReadAhead = 200_000;

/** Text of a source that is still to be sent. */
interface Written {
  text: string;
  isOver: boolean;
  failure?: { readonly error: unknown };
}

/** What the feed needs of the life of its utterance. */
type FeedLife = Pick<Life, 'ended' | 'ending' | 'tell' | 'untilNews'>;

/**
 * Sends text as it is written: the first clause at once, then whole sentences. A text that is there at once is spoken as
 * the server cuts it, and flushed only where it waits.
 */
export async function feedText(
  source: string | AsyncIterable<string>,
  aheadSeconds: number,
  out: Pick<TextOut, 'write' | 'flush'>,
  pace: Pick<Pace, 'secondsAhead'>,
  life: FeedLife,
): Promise<void> {
  const isWhole = typeof source === 'string';
  if (isWhole && aheadSeconds === Number.POSITIVE_INFINITY) return out.write(source);
  const written: Written = { text: isWhole ? source : '', isOver: isWhole };
  const iterator = isWhole ? undefined : source[Symbol.asyncIterator]();
  // Never waited for: a source that waits for a model may take its time.
  if (iterator) void readAhead(iterator, written, life);
  const secondsOver = (): number => pace.secondsAhead() - aheadSeconds;
  let isFirst = true;
  let owesFlush = false;
  try {
    while (!life.ended) {
      const { text } = written;
      const isOver = written.isOver || life.ending;
      const cut = nextCut(text, isFirst) ?? {
        // Punctuation alone is not worth a message.
        text: isOver && !written.failure && (isWhole || isSpeakable(text)) ? text : '',
        flush: false,
      };
      if (cut.text === '') {
        if (written.failure) throw written.failure.error;
        if (isOver) return;
        while (!life.ended && !life.ending && !written.isOver && written.text === text)
          await life.untilNews();
        continue;
      }
      for (let over = secondsOver(); over > 0 && !life.ended; over = secondsOver()) {
        // Without a flush, the text that the server has collected would wait for the text that waits here.
        if (owesFlush) out.flush();
        owesFlush = false;
        await newsWithin(life, Math.min(over * 1000 + 1, lookMilliseconds));
      }
      if (life.ended) return;
      written.text = written.text.slice(cut.text.length);
      isFirst = false;
      await out.write(cut.text);
      owesFlush = isWhole || !cut.flush;
      if (!owesFlush) out.flush();
    }
  } finally {
    void Promise.resolve(iterator?.return?.()).catch(() => {});
  }
}

/**
 * Reads a source ahead of what is sent. Some programs fill their source before they read any
 * audio: without this, the source would wait for the text to be sent, and the text for the audio
 * to be read.
 */
async function readAhead(iterator: AsyncIterator<unknown>, written: Written, life: FeedLife): Promise<void> {
  try {
    while (!life.ended && !life.ending) {
      const { value, done } = await iterator.next();
      if (done || life.ending) break;
      written.text += textOf(value);
      life.tell();
      while (written.text.length > maximumReadAhead && !life.ended) await life.untilNews();
    }
  } catch (error) {
    // What was read before it is still to be spoken.
    written.failure = { error };
  }
  written.isOver = true;
  life.tell();
}

/** Settles after a time, or as soon as something happens. */
async function newsWithin(life: FeedLife, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([over, life.untilNews()]);
  clearTimeout(timer);
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
export function textOf(piece: unknown): string {
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
/** A bracket that is not closed within this many characters opens no tag. */
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

/** Characters of the first clause; below it goes with the next one. */
const firstClauseCharacters = 12;
/** Characters in which an end is looked for at first: a stored answer may come in one piece. */
const windowCharacters = 400;

/** The beginning of a growing text that may be spoken on its own, or nothing. The first cut may be a clause. */
export function nextCut(text: string, isFirst: boolean): Cut | undefined {
  const cut = cutOf(text.slice(0, windowCharacters), isFirst);
  return cut ?? (text.length > windowCharacters ? cutOf(text, isFirst) : undefined);
}

function cutOf(text: string, isFirst: boolean): Cut | undefined {
  for (const behind of isFirst ? clauseEnds(text) : sentenceEnds(text)) {
    const before = text.slice(0, behind).trimEnd();
    if (isFirst && before.trim().length < firstClauseCharacters) continue;
    if (!isSpeakable(before) || isInTag(text, before.length - 1)) continue;
    const ends = endsSentence(before, text[behind]);
    if (ends) return { text: text.slice(0, behind), flush: true };
    // The character that decides it has not been written yet.
    if (ends === undefined) break;
  }
  if (text.length <= maximumPiece) return undefined;
  const spaces = [...text.matchAll(/\s/g)].map(({ index }) => index).reverse();
  const end = spaces.find((index) => index > 0 && !isInTag(text, index));
  if (end === undefined || !isSpeakable(text.slice(0, end))) return undefined;
  return { text: text.slice(0, end + 1), flush: false };
}

/** Positions where clauses end, after the white space that follows them. */
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
export function isSpeakable(text: string): boolean {
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
