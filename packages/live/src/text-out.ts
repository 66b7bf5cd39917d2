import { ConnectionError, RequestError } from '@speech-api/client';
import { isSpeakable, nextCut } from './clauses.ts';
import { encodeMessage, encodeText, isHighSurrogate } from './messages.ts';
import type { Pace } from './pace.ts';
import type { Progress } from './progress.ts';
import type { LiveSocket } from './socket.ts';

/** If more unsent text than this is waiting, `write` waits. */
const maximumUnsentBytes = 256 * 1024;
/** Playback is checked this often while text waits, because it may have stopped. */
const lookMilliseconds = 100;
/** Unsent characters above which a source is not read further. */
const maximumReadAhead = 200_000;

/** Text of a source that is still to be sent. */
interface PendingText {
  text: string;
  isOver: boolean;
  failure?: { readonly error: unknown };
}

/** The half of an utterance that sends: its text, cut into clauses and held back by the pace, until the end. */
export class TextOut {
  readonly #progress: Progress;
  readonly #pace: Pace;
  readonly #aheadSeconds: number;
  readonly #onChange: (hasSent?: boolean) => void;
  #socket: LiveSocket | undefined;
  /** Frames that were ready before the socket opened. */
  #early: Uint8Array<ArrayBuffer>[] = [];
  /** Requests another socket when there is something to send; set when the previous one has ended. */
  #reopen: (() => void) | undefined;
  #hasSentText = false;
  #isFed = false;
  /** True if the caller ended the text, part of which may still be held back. */
  #isEnding = false;
  /** Text that was written in this turn of the event loop: many small writes become one message. */
  #written = '';
  #isWriting = false;
  /** True if words were sent since the last audio arrived. */
  #isUnanswered = false;
  #owesFlushed = false;
  #waitingWriters = 0;
  isStopped = false;
  /** All text that was sent, and its Unicode code points. */
  text = '';
  characters = 0;

  /** @param onChange called when a deadline may begin or end; `hasSent` when the server has read some */
  constructor(progress: Progress, pace: Pace, aheadSeconds: number, onChange: (hasSent?: boolean) => void) {
    this.#progress = progress;
    this.#pace = pace;
    this.#aheadSeconds = aheadSeconds;
    this.#onChange = onChange;
  }

  /** True while the server has to read before anything else happens. */
  get isSending(): boolean {
    return this.#waitingWriters > 0;
  }

  /** True while the service has to send audio. */
  get owesAudio(): boolean {
    return this.isStopped || this.#owesFlushed;
  }

  get hasWords(): boolean {
    return hasWords(this.text);
  }

  /** Notes that audio came. */
  answered(): void {
    this.#owesFlushed = false;
    this.#isUnanswered = false;
  }

  /** Sends `start` and everything written meanwhile. */
  attach(socket: LiveSocket, start: Uint8Array<ArrayBuffer>): void {
    this.#reopen = undefined;
    this.#socket = socket;
    socket.send(start);
    for (const frame of this.#early.splice(0)) this.#send(frame);
  }

  /** Returns false if more than `start` was sent on the socket, which is never repeated. */
  detach(reopen: () => void): boolean {
    if (this.#hasSentText) return false;
    this.#socket = undefined;
    this.#reopen = reopen;
    return true;
  }

  /** Sends the text of a source, and then `stop`. Throws what the source throws. */
  async feed(source: string | AsyncIterable<string>): Promise<void> {
    this.#isFed = true;
    const isWhole = typeof source === 'string';
    const pending: PendingText = { text: isWhole ? source : '', isOver: isWhole };
    const iterator = isWhole ? undefined : source[Symbol.asyncIterator]();
    // This promise is not awaited: a source that waits for a model may take its time.
    if (iterator) void this.#readAhead(iterator, pending);
    try {
      await this.#sendClauses(pending, isWhole);
      this.#stop();
    } finally {
      void Promise.resolve(iterator?.return?.()).catch(() => {});
    }
  }

  /**
   * Reads a source ahead of what is sent. Some programs fill their source before they read any audio: without this, the
   * source would wait for the text to be sent, and the text for the audio to be read.
   */
  async #readAhead(iterator: AsyncIterator<unknown>, pending: PendingText): Promise<void> {
    try {
      while (!this.#progress.hasEnded && !this.#isEnding) {
        const { value, done } = await iterator.next();
        if (done || this.#isEnding) break;
        pending.text += textOf(value);
        this.#progress.tell();
        while (pending.text.length > maximumReadAhead && !this.#progress.hasEnded)
          await this.#progress.untilNews();
      }
    } catch (error) {
      // Text that was read before the failure is still spoken.
      pending.failure = { error };
    }
    pending.isOver = true;
    this.#progress.tell();
  }

  /**
   * Sends text as it is written: the first clause at once, then whole sentences. Each waits while more than
   * `aheadSeconds` of speech are ahead of the listener. A text that is there at once is spoken as the server cuts it,
   * and flushed only where it waits.
   */
  async #sendClauses(pending: PendingText, isWhole: boolean): Promise<void> {
    const progress = this.#progress;
    let isFirst = true;
    let needsFlush = false;
    while (!progress.hasEnded) {
      const { text } = pending;
      const isOver = pending.isOver || this.#isEnding;
      // Emoji and punctuation alone are not worth a message.
      const rest = isOver && !pending.failure && (isWhole || isSpeakable(text)) ? text : '';
      const cut = nextCut(text, isFirst) ?? { text: rest, flush: false };
      if (cut.text === '') {
        if (pending.failure) throw pending.failure.error;
        if (isOver) return;
        while (!progress.hasEnded && !this.#isEnding && !pending.isOver && pending.text === text)
          await progress.untilNews();
        continue;
      }
      for (;;) {
        const over = this.#pace.secondsAhead() - this.#aheadSeconds;
        if (over <= 0 || progress.hasEnded) break;
        // Without a flush, the server's collected text would wait for text that waits here.
        if (needsFlush) this.flush();
        needsFlush = false;
        await progress.untilNews(Math.min(over * 1000 + 1, lookMilliseconds));
      }
      if (progress.hasEnded) return;
      pending.text = pending.text.slice(cut.text.length);
      isFirst = false;
      await this.#write(cut.text);
      if (cut.flush && !isWhole) this.flush();
      needsFlush = isWhole || !cut.flush;
    }
  }

  write(text: string): Promise<void> {
    if (this.#isFed)
      throw new TypeError('speak was given the text; call speak() without one to write by hand');
    if (this.isStopped) throw new TypeError('write after end: speak() begins another utterance');
    const written = this.#write(textOf(text));
    // The loop over the audio throws it too, so a caller that does not wait here still sees it.
    written.catch(() => {});
    return written;
  }

  flush(): void {
    this.#sendWritten();
    if (this.#progress.hasEnded || this.isStopped) return;
    this.#send(encodeMessage({ event: 'flush' }));
    // If audio followed the text, all of it may already be spoken, so there is nothing to wait for.
    if (this.#isUnanswered) this.#owesFlushed = true;
    this.#onChange();
  }

  end(): void {
    if (!this.#isFed) this.#stop();
    else {
      this.#isEnding = true;
      this.#progress.tell();
    }
  }

  #stop(): void {
    this.#sendWritten(true);
    if (this.#progress.hasEnded || this.isStopped) return;
    this.isStopped = true;
    this.#send(encodeMessage({ event: 'stop' }));
    this.#onChange();
  }

  /** Settles when there is room for more. A server that stops reading runs into the idle deadline. */
  async #write(text: string): Promise<void> {
    const progress = this.#progress;
    if (progress.hasEnded)
      throw progress.error ?? new ConnectionError('openLiveSession: the utterance has ended');
    this.#written += text;
    if (!this.#isWriting) {
      this.#isWriting = true;
      queueMicrotask(() => {
        this.#isWriting = false;
        this.#sendWritten();
      });
    }
    if (this.#unsentBytes() <= maximumUnsentBytes) return;
    this.#sendWritten();
    this.#waitingWriters += 1;
    this.#onChange();
    for (
      let least = this.#unsentBytes();
      !progress.hasEnded && this.#unsentBytes() > maximumUnsentBytes / 2;
    ) {
      const news = progress.untilNews();
      await (this.#socket ? Promise.race([this.#socket.someSent(), news]) : news);
      this.#onChange(this.#unsentBytes() < least);
      least = Math.min(least, this.#unsentBytes());
    }
    this.#waitingWriters -= 1;
    this.#onChange();
    if (progress.hasEnded && progress.error !== undefined) throw progress.error;
  }

  #unsentBytes(): number {
    const early = this.#early.reduce((sum, { length }) => sum + length, 0);
    return this.#written.length + early + (this.#socket?.unsentBytes() ?? 0);
  }

  #sendWritten(isLast = false): void {
    if (this.#progress.hasEnded || this.isStopped) return;
    let text = this.#written;
    this.#written = '';
    // The second half of a surrogate pair comes with the next write.
    if (!isLast && isHighSurrogate(text, text.length - 1)) {
      this.#written = text.slice(-1);
      text = text.slice(0, -1);
    }
    if (text === '') return;
    this.text += text;
    this.#pace.sent(text);
    if (hasWords(text)) this.#isUnanswered = true;
    for (const _ of text) this.characters += 1;
    for (const frame of encodeText(text)) this.#send(frame);
  }

  #send(frame: Uint8Array<ArrayBuffer>): void {
    if (this.#socket) {
      this.#hasSentText = true;
      this.#socket.send(frame);
      return;
    }
    this.#early.push(frame);
    this.#reopen?.();
    this.#reopen = undefined;
  }
}

const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

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
