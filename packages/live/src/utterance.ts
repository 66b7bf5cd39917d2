import {
  AbortError,
  ConnectionError,
  ProtocolError,
  RequestError,
  TimeoutError,
  type TimeoutPhase,
} from '@speech-api/client';
import { Timeline } from '@speech-api/streaming';
import { isSpeakable, nextCut } from './clauses.ts';
import { Deadline } from './deadline.ts';
import {
  encodeMessage,
  encodeStart,
  encodeText,
  isHighSurrogate,
  type LiveRequest,
  type LiveServerMessage,
} from './messages.ts';
import type { SpeakOptions } from './options.ts';
import { estimateHeard, heardWords, Pace } from './pace.ts';
import type { LiveSocket } from './socket.ts';

/** The part of an utterance that was heard. */
export interface Interruption {
  /** The beginning of the text, up to a whole word. Empty before playback began. */
  readonly heard: string;
  /** False if word times came with the audio; otherwise the spoken word can only be estimated. */
  readonly estimated: boolean;
  readonly playedMilliseconds: number;
}

/** Metrics of an utterance, while it runs and afterwards. */
export interface LiveMetrics {
  /** Milliseconds from `speak()` to the first audio; undefined before it. */
  readonly firstAudioMilliseconds: number | undefined;
  /** True if the socket had served an earlier utterance. */
  readonly connectionReused: boolean;
  /** Unicode code points that were sent: what a service bills by. */
  readonly characters: number;
  /** Bytes of audio that arrived. */
  readonly bytes: number;
}

/**
 * One text in, one audio out. Iterate it once: the loop ends with the utterance and throws its error, after any
 * audio that came before. Leaving the loop early interrupts the utterance.
 */
export interface LiveSpeech extends AsyncIterable<Uint8Array> {
  /** Adds text. Settles when there is room for more; without waiting, what is written is kept and still sent in order. */
  write(text: string): Promise<void>;
  /** Speaks everything written so far without waiting for more. */
  flush(): void;
  /** Ends the text. The audio ends when all of it is spoken; an utterance without words has no audio. */
  end(): void;
  /**
   * Ends the utterance at once by closing the socket: the protocol has no other way. The loop over the audio ends
   * without an error, and no byte of it reaches a later utterance.
   */
  interrupt(options?: { readonly playedMs?: number }): Interruption;
  readonly metrics: LiveMetrics;
  /** When each word is spoken; empty unless the connection asked for `timestamps`. */
  readonly timeline: Timeline;
  /** The `reason` of the service's `finish`, such as `stop`; undefined before it and after an interruption. */
  readonly finishReason: string | undefined;
}

/** Deadlines in milliseconds, as the options of the connection explain them. */
export interface UtteranceTimeouts {
  readonly idle: number;
  readonly total: number;
}

/** If more unread audio than this is waiting, the socket is paused, if the runtime can do that. */
const pauseAboveBytes = 1024 * 1024;
/** If more unsent text than this is waiting, `write` waits. */
const maximumUnsentBytes = 256 * 1024;
/** Seconds of unplayed speech above which text waits. */
const defaultAheadSeconds = 4;
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

/** An utterance from its text to the end of its audio, in order of events. */
export class Utterance implements LiveSpeech {
  readonly #request: LiveRequest;
  readonly #options: SpeakOptions;
  readonly #onEnd: (isReusable: boolean, error: unknown) => void;
  readonly #pace: Pace;
  readonly #idle: Deadline;
  readonly #total: Deadline;
  readonly #waiters = new Set<() => void>();
  readonly #startedAt = performance.now();
  readonly timeline: Timeline = new Timeline();
  /** The message that begins it. */
  readonly start: Blob;
  /** The socket that serves it. */
  socket: LiveSocket | undefined;
  finishReason: string | undefined;
  hasEnded = false;
  #error: unknown;
  #isReused = false;

  // The text.
  #isFed = false;
  /** True if the caller ended the text, part of which may still be held back. */
  #isEnding = false;
  #isStopped = false;
  /** Text that was written in this turn of the event loop: many small writes become one message. */
  #written = '';
  #isWriting = false;
  /** Frames that were ready before the socket opened. */
  #early: Uint8Array<ArrayBuffer>[] = [];
  /** Requests another socket when there is something to send; set when the previous one was closed. */
  #reopen: (() => void) | undefined;
  #hasSentText = false;
  /** True if words were sent since the last audio arrived. */
  #isUnanswered = false;
  #owesFlushed = false;
  #waitingWriters = 0;
  #text = '';
  #characters = 0;

  readonly #chunks: Uint8Array[] = [];
  #unreadBytes = 0;
  #halfSample: Uint8Array = new Uint8Array();
  #hasReader = false;
  #isPaused = false;
  #bytes = 0;
  #firstAudioAt: number | undefined;

  /** @param onEnd called when the utterance is over; `isReusable` if its socket may serve another one */
  constructor(
    request: LiveRequest,
    timeouts: UtteranceTimeouts,
    options: SpeakOptions,
    onEnd: (isReusable: boolean, error: unknown) => void,
  ) {
    this.#request = request;
    this.#options = options;
    this.#onEnd = onEnd;
    this.start = encodeStart(request);
    this.#pace = new Pace(request, options.played);
    this.#idle = this.#deadline('idle', timeouts.idle);
    this.#total = this.#deadline('total', timeouts.total);
  }

  /** Follows the caller's signal; called once the connection knows this utterance. */
  heedSignal(): void {
    const { signal } = this.#options;
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get metrics(): LiveMetrics {
    return {
      firstAudioMilliseconds:
        this.#firstAudioAt === undefined ? undefined : this.#firstAudioAt - this.#startedAt,
      connectionReused: this.#isReused,
      characters: this.#characters,
      bytes: this.#bytes,
    };
  }

  /** Gives the utterance its text. What the source throws ends the utterance with that error. */
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
    } catch (error) {
      this.fail(error ?? new TypeError('the source of the text failed without an error'));
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
      while (!this.hasEnded && !this.#isEnding) {
        const { value, done } = await iterator.next();
        if (done || this.#isEnding) break;
        pending.text += textOf(value);
        this.#tell();
        while (pending.text.length > maximumReadAhead && !this.hasEnded) await this.#untilNews();
      }
    } catch (error) {
      // Text that was read before the failure is still spoken.
      pending.failure = { error };
    }
    pending.isOver = true;
    this.#tell();
  }

  /**
   * Sends text as it is written: the first clause at once, then whole sentences. Each waits while more than
   * `aheadSeconds` of speech are ahead of the listener. A text that is there at once is spoken as the server cuts it,
   * and flushed only where it waits.
   */
  async #sendClauses(pending: PendingText, isWhole: boolean): Promise<void> {
    const { aheadSeconds = defaultAheadSeconds } = this.#options;
    let isFirst = true;
    let needsFlush = false;
    while (!this.hasEnded) {
      const { text } = pending;
      const isOver = pending.isOver || this.#isEnding;
      // Emoji and punctuation alone are not worth a message.
      const rest = isOver && !pending.failure && (isWhole || isSpeakable(text)) ? text : '';
      const cut = nextCut(text, isFirst) ?? { text: rest, flush: false };
      if (cut.text === '') {
        if (pending.failure) throw pending.failure.error;
        if (isOver) return;
        while (!this.hasEnded && !this.#isEnding && !pending.isOver && pending.text === text)
          await this.#untilNews();
        continue;
      }
      for (;;) {
        const over = this.#pace.secondsAhead() - aheadSeconds;
        if (over <= 0 || this.hasEnded) break;
        // Without a flush, the server's collected text would wait for text that waits here.
        if (needsFlush) this.flush();
        needsFlush = false;
        await this.#untilNews(Math.min(over * 1000 + 1, lookMilliseconds));
      }
      if (this.hasEnded) return;
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
    if (this.#isStopped) throw new TypeError('write after end: speak() begins another utterance');
    const written = this.#write(textOf(text));
    // The loop over the audio throws it too, so a caller that does not wait here still sees it.
    written.catch(() => {});
    return written;
  }

  flush(): void {
    this.#sendWritten();
    if (this.hasEnded || this.#isStopped) return;
    this.#send(encodeMessage({ event: 'flush' }));
    // If audio followed the text, all of it may already be spoken, so there is nothing to wait for.
    if (this.#isUnanswered) this.#owesFlushed = true;
    this.#watch();
  }

  end(): void {
    if (!this.#isFed) this.#stop();
    else {
      this.#isEnding = true;
      this.#tell();
    }
  }

  #stop(): void {
    this.#sendWritten(true);
    if (this.hasEnded || this.#isStopped) return;
    this.#isStopped = true;
    this.#send(encodeMessage({ event: 'stop' }));
    this.#watch();
  }

  /** Settles when there is room for more. A server that stops reading runs into the idle deadline. */
  async #write(text: string): Promise<void> {
    if (this.hasEnded) throw this.#error ?? new ConnectionError('openLiveSession: the utterance has ended');
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
    this.#watch();
    for (let least = this.#unsentBytes(); !this.hasEnded && this.#unsentBytes() > maximumUnsentBytes / 2; ) {
      const news = this.#untilNews();
      await (this.socket ? Promise.race([this.socket.someSent(), news]) : news);
      if (this.#unsentBytes() < least) this.#idle.restart();
      least = Math.min(least, this.#unsentBytes());
    }
    this.#waitingWriters -= 1;
    this.#watch();
    if (this.hasEnded && this.#error !== undefined) throw this.#error;
  }

  #unsentBytes(): number {
    const early = this.#early.reduce((sum, { length }) => sum + length, 0);
    return this.#written.length + early + (this.socket?.unsentBytes() ?? 0);
  }

  #sendWritten(isLast = false): void {
    if (this.hasEnded || this.#isStopped) return;
    let text = this.#written;
    this.#written = '';
    // The second half of a surrogate pair comes with the next write.
    if (!isLast && isHighSurrogate(text, text.length - 1)) {
      this.#written = text.slice(-1);
      text = text.slice(0, -1);
    }
    if (text === '') return;
    this.#text += text;
    this.#pace.sent(text);
    if (hasWords(text)) this.#isUnanswered = true;
    for (const _ of text) this.#characters += 1;
    for (const frame of encodeText(text)) this.#send(frame);
  }

  #send(frame: Uint8Array<ArrayBuffer>): void {
    if (this.socket) {
      this.#hasSentText = true;
      this.socket.send(frame);
      return;
    }
    this.#early.push(frame);
    this.#reopen?.();
    this.#reopen = undefined;
  }

  /** Called when the socket is open: sends `start` and everything written meanwhile. */
  attach(socket: LiveSocket, start: Uint8Array<ArrayBuffer>, isReused: boolean): void {
    if (this.hasEnded) return;
    this.#isReused = isReused;
    this.#reopen = undefined;
    this.socket = socket;
    socket.send(start);
    for (const frame of this.#early.splice(0)) this.#send(frame);
    this.#watch();
    this.#tell();
  }

  /** Called when the socket has ended. Returns false if more than `start` was sent on it, which is never repeated. */
  detach(reopen: () => void): boolean {
    if (this.#hasSentText) return false;
    this.socket = undefined;
    this.#reopen = reopen;
    return true;
  }

  receive(message: LiveServerMessage): void {
    if (this.hasEnded) return;
    if (message.event === 'finish') this.#finish(message.reason);
    if (message.event !== 'audio') return;
    if (message.update) this.timeline.apply(message.update);
    if (message.audio.length === 0) return;
    this.#owesFlushed = false;
    this.#isUnanswered = false;
    this.#idle.restart();
    this.#firstAudioAt ??= performance.now();
    this.#keep(message.audio);
    this.#watch();
    this.#tell();
  }

  /** Stores audio for the reader. */
  #keep(audio: Uint8Array): void {
    this.#bytes += audio.length;
    this.#pace.received(audio.length);
    const whole = this.#request.format === 'pcm' ? this.#wholeSamples(audio) : audio;
    if (whole.length > 0) this.#chunks.push(whole);
    this.#unreadBytes += whole.length;
    if (this.#unreadBytes > pauseAboveBytes) this.#pause(true);
  }

  #pause(isPaused: boolean): void {
    if (isPaused === this.#isPaused || (isPaused && this.hasEnded)) return;
    if (!this.socket?.pause || !this.socket.resume) return;
    this.#isPaused = isPaused;
    this.#pace.pause(isPaused);
    if (isPaused) this.socket.pause();
    else this.socket.resume();
    this.#watch();
  }

  /** pcm is passed on in whole samples: half a sample waits for its other half. */
  #wholeSamples(audio: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(this.#halfSample.length + audio.length);
    bytes.set(this.#halfSample);
    bytes.set(audio, this.#halfSample.length);
    const end = bytes.length - (bytes.length % 2);
    this.#halfSample = bytes.subarray(end);
    return bytes.subarray(0, end);
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    if (this.#hasReader)
      throw new TypeError('this speech is being read or has been read; it can be read once');
    this.#hasReader = true;
    return {
      next: async () => {
        for (;;) {
          const audio = this.#chunks.shift();
          if (audio) {
            this.#unreadBytes -= audio.length;
            this.#pace.read(audio.length);
            if (this.#unreadBytes <= pauseAboveBytes / 2) this.#pause(false);
            // Waiting text may now be sent.
            this.#tell();
            return { value: audio, done: false };
          }
          if (this.hasEnded) {
            const error = this.#error;
            this.#error = undefined;
            if (error !== undefined) throw error;
            return { value: undefined, done: true };
          }
          await this.#untilNews();
        }
      },
      // The caller left the loop: the remaining audio is not wanted and would be billed.
      return: async () => {
        this.#forget();
        this.#end(undefined, false);
        return { value: undefined, done: true };
      },
    };
  }

  #finish(reason: string): void {
    // The header of a wav file is not sound.
    const headerBytes = this.#request.format === 'wav' ? 44 : 0;
    if (!this.#isStopped) {
      this.fail(new ProtocolError('openLiveSession: finish came before stop was sent'));
    } else if (this.#halfSample.length > 0) {
      this.fail(new ProtocolError('openLiveSession: the audio ends in half a sample'));
    } else if (hasWords(this.#text) && this.#bytes <= headerBytes) {
      this.fail(new ProtocolError('openLiveSession: the utterance finished without audio'));
    } else {
      this.finishReason = reason;
      this.#end(undefined, true);
    }
  }

  interrupt({ playedMs = 0 }: { readonly playedMs?: number } = {}): Interruption {
    if (!(playedMs >= 0 && playedMs < Number.POSITIVE_INFINITY)) {
      throw new RequestError(`playedMs is ${String(playedMs)}; give milliseconds from 0`, {
        field: 'playedMs',
      });
    }
    const estimated = this.timeline.segments.length === 0;
    const isWhole = this.finishReason !== undefined;
    const text = estimated
      ? estimateHeard(this.#text, playedMs, this.#pace.receivedMilliseconds, isWhole)
      : heardWords(this.#text, this.timeline, playedMs);
    this.#forget();
    this.#end(undefined, false);
    return { heard: text, estimated, playedMilliseconds: playedMs };
  }

  /** Ends the utterance with an error, and its socket. */
  fail(error: unknown): void {
    this.#end(error, false);
  }

  #end(error: unknown, isReusable: boolean): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.#error = error;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#idle.stop();
    this.#total.stop();
    this.#pause(false);
    this.#onEnd(isReusable, error);
    this.#tell();
  }

  /** Discards unread audio. */
  #forget(): void {
    this.#chunks.length = 0;
    this.#unreadBytes = 0;
  }

  readonly #onAbort = (): void => this.fail(new AbortError(this.#options.signal?.reason));

  /** Runs the deadlines while the service owes audio, but not while the writer thinks or the reader is slow. */
  #watch(): void {
    if (this.hasEnded || this.socket === undefined) return;
    const isSending = this.#waitingWriters > 0;
    const owesAudio = this.#isStopped || this.#owesFlushed;
    this.#idle.run(isSending || (!this.#isPaused && owesAudio));
    this.#total.run(!this.#isPaused && this.#isStopped);
  }

  #deadline(phase: TimeoutPhase, milliseconds: number): Deadline {
    return new Deadline(milliseconds, () => this.fail(new TimeoutError(phase, milliseconds)));
  }

  #tell(): void {
    for (const settle of [...this.#waiters]) settle();
  }

  /** Settles at the next change, or after a time. */
  #untilNews(milliseconds?: number): Promise<void> {
    if (this.hasEnded) return Promise.resolve();
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(settle);
        resolve();
      };
      const timer = milliseconds === undefined ? undefined : setTimeout(settle, milliseconds);
      this.#waiters.add(settle);
    });
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
