import { ConnectionError } from '@speech-api/client';
import type { Life } from './life.ts';
import { encodeMessage, encodeText, isHighSurrogate } from './messages.ts';
import type { Pace } from './pace.ts';
import type { LiveSocket } from './socket.ts';

const hasWords = /[\p{L}\p{N}]/u;

/** The half of an utterance that sends text. */
export class TextOut {
  readonly #life: Life;
  readonly #pace: Pace;
  readonly #maximumUnsentBytes: number;
  #socket: LiveSocket | undefined;
  /** Gives another socket when there is something to send; set when the one before was closed. */
  #reopen: (() => void) | undefined;
  /** Frames from before the socket was there. */
  readonly #early: Uint8Array<ArrayBuffer>[] = [];
  /** Text that was written in this turn of the event loop: many small writes become one message. */
  #written = '';
  #writing = false;
  #sentOnSocket = false;
  #flushOwed = false;
  /** True if words were sent since the last audio came. */
  #unanswered = false;
  /** Writers that wait for room. */
  waiting = 0;
  stopped = false;
  /** All text that was sent. */
  text = '';
  characters = 0;
  firstTextAt: number | undefined;

  constructor(life: Life, pace: Pace, maximumUnsentBytes: number) {
    this.#life = life;
    this.#pace = pace;
    this.#maximumUnsentBytes = maximumUnsentBytes;
  }

  get hasWords(): boolean {
    return hasWords.test(this.text);
  }

  /** True if audio must come: after `flush` with words to speak, and after `stop`. */
  get audioIsOwed(): boolean {
    return this.stopped || this.#flushOwed;
  }

  /** The socket is there: what was written meanwhile goes out behind `start`. */
  attach(socket: LiveSocket, start: Uint8Array<ArrayBuffer>): void {
    this.#socket = socket;
    this.#reopen = undefined;
    socket.send(start);
    for (const frame of this.#early.splice(0)) this.#send(frame);
  }

  /** The socket was closed. Gives false where more than `start` was sent on it, which is never sent twice. */
  detach(reopen: () => void): boolean {
    if (this.#sentOnSocket) return false;
    this.#socket = undefined;
    this.#reopen = reopen;
    return true;
  }

  audioCame(): void {
    this.#flushOwed = false;
    this.#unanswered = false;
  }

  async write(text: string): Promise<void> {
    const life = this.#life;
    if (life.ended) throw life.error ?? new ConnectionError('openLiveSession: the utterance has ended');
    this.#written += text;
    if (!this.#writing) {
      this.#writing = true;
      queueMicrotask(() => {
        this.#writing = false;
        this.#sendWritten();
      });
    }
    await this.#room();
  }

  flush(): void {
    this.#sendWritten();
    if (this.#life.ended || this.stopped) return;
    this.#send(encodeMessage({ event: 'flush' }));
    // Text that audio followed may all be spoken already: then there is nothing to wait for.
    if (this.#unanswered) this.#flushOwed = true;
    this.#life.watch();
  }

  stop(): void {
    this.#sendWritten(true);
    if (this.#life.ended || this.stopped) return;
    this.stopped = true;
    this.#send(encodeMessage({ event: 'stop' }));
    this.#life.watch();
  }

  #sendWritten(last = false): void {
    if (this.#life.ended || this.stopped) return;
    let text = this.#written;
    this.#written = '';
    // The other half of a pair comes with the next write.
    if (!last && text !== '' && isHighSurrogate(text, text.length - 1)) {
      this.#written = text.slice(-1);
      text = text.slice(0, -1);
    }
    if (text === '') return;
    this.firstTextAt ??= performance.now();
    this.text += text;
    this.#pace.sent(text);
    if (hasWords.test(text)) this.#unanswered = true;
    for (const _ of text) this.characters += 1;
    for (const frame of encodeText(text)) this.#send(frame);
  }

  #send(frame: Uint8Array<ArrayBuffer>): void {
    if (this.#socket) {
      this.#sentOnSocket = true;
      this.#socket.send(frame);
      return;
    }
    this.#early.push(frame);
    this.#reopen?.();
    this.#reopen = undefined;
  }

  /** Waits until what was written has mostly left. A server that stops reading meets the idle deadline. */
  async #room(): Promise<void> {
    const life = this.#life;
    if (this.#backlog() <= this.#maximumUnsentBytes) return;
    this.#sendWritten();
    this.waiting += 1;
    let least = this.#backlog();
    life.watch();
    try {
      while (!life.ended && this.#backlog() > this.#maximumUnsentBytes / 2) {
        const news = life.untilNews();
        await (this.#socket ? Promise.race([this.#socket.someSent(), news]) : news);
        const left = this.#backlog();
        if (left < least) life.idle.restart();
        least = Math.min(least, left);
      }
    } finally {
      this.waiting -= 1;
      life.watch();
    }
    if (life.ended && life.error !== undefined) throw life.error;
  }

  #backlog(): number {
    const early = this.#early.reduce((sum, { length }) => sum + length, 0);
    return this.#written.length + early + (this.#socket?.unsentBytes() ?? 0);
  }
}
