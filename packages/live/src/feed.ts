import { RequestError } from '@speech-api/client';
import { isSpeakable, nextCut } from './clauses.ts';

/** Playback is checked this often while text waits, because it may have stopped. */
const lookMilliseconds = 100;
/** Unsent characters above which a source is not read further. */
const maximumReadAhead = 200_000;

/** The utterance that a source feeds. */
export interface Fed {
  readonly hasEnded: boolean;
  /** True if the caller ended the text, part of which may still be held back. */
  readonly isEnding: boolean;
  /** Seconds of speech ahead of the listener beyond what is allowed. */
  secondsOver(): number;
  /** Settles when there is room for more. */
  send(text: string): Promise<void>;
  flush(): void;
  /** Settles at the next change, or after a time. */
  untilNews(milliseconds?: number): Promise<void>;
  tell(): void;
}

/** Text of a source that is still to be sent. */
interface PendingText {
  text: string;
  isOver: boolean;
  failure?: { readonly error: unknown };
}

/** Sends the text of a source, until it or the utterance ends. Throws what the source throws. */
export async function feedText(source: string | AsyncIterable<string>, fed: Fed): Promise<void> {
  if (typeof source === 'string') return sendClauses({ text: source, isOver: true }, true, fed);
  const pending: PendingText = { text: '', isOver: false };
  const iterator = source[Symbol.asyncIterator]();
  // This promise is not awaited: a source that waits for a model may take its time.
  void readAhead(iterator, pending, fed);
  try {
    await sendClauses(pending, false, fed);
  } finally {
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

/**
 * Reads a source ahead of what is sent. Some programs fill their source before they read any audio: without this, the
 * source would wait for the text to be sent, and the text for the audio to be read.
 */
async function readAhead(iterator: AsyncIterator<unknown>, pending: PendingText, fed: Fed): Promise<void> {
  try {
    while (!fed.hasEnded && !fed.isEnding) {
      const { value, done } = await iterator.next();
      if (done || fed.isEnding) break;
      pending.text += textOf(value);
      fed.tell();
      while (pending.text.length > maximumReadAhead && !fed.hasEnded) await fed.untilNews();
    }
  } catch (error) {
    // Text that was read before the failure is still spoken.
    pending.failure = { error };
  }
  pending.isOver = true;
  fed.tell();
}

/**
 * Sends text as it is written: the first clause at once, then whole sentences. Each waits while too much speech is ahead of
 * the listener. A text that is there at once is spoken as the server cuts it, and flushed only where it waits.
 */
async function sendClauses(pending: PendingText, isWhole: boolean, fed: Fed): Promise<void> {
  let isFirst = true;
  let needsFlush = false;
  while (!fed.hasEnded) {
    const { text } = pending;
    const isOver = pending.isOver || fed.isEnding;
    // Emoji and punctuation alone are not worth a message.
    const rest = isOver && !pending.failure && (isWhole || isSpeakable(text)) ? text : '';
    const cut = nextCut(text, isFirst) ?? { text: rest, flush: false };
    if (cut.text === '') {
      if (pending.failure) throw pending.failure.error;
      if (isOver) return;
      while (!fed.hasEnded && !fed.isEnding && !pending.isOver && pending.text === text)
        await fed.untilNews();
      continue;
    }
    for (let over = fed.secondsOver(); over > 0 && !fed.hasEnded; over = fed.secondsOver()) {
      // The server may keep text until more arrives, which waits here; a flush makes it speak what it has.
      if (needsFlush) fed.flush();
      needsFlush = false;
      await fed.untilNews(Math.min(over * 1000 + 1, lookMilliseconds));
    }
    if (fed.hasEnded) return;
    pending.text = pending.text.slice(cut.text.length);
    isFirst = false;
    await fed.send(cut.text);
    if (cut.flush && !isWhole) fed.flush();
    needsFlush = isWhole || !cut.flush;
  }
}

/**
 * Refuses a text that would be billed without being heard, or would be spoken as `[object Object]`.
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

/** Language models often yield an empty delta, which is ignored; any other value that is not text would be spoken. */
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
