import {
  AbortError,
  ConnectionError,
  ProtocolError,
  RequestError,
  TimeoutError,
  type TimeoutPhase,
} from '@speech-api/client';
import type { EncodedParts } from '@speech-api/msgpack';
import { Timeline } from '@speech-api/streaming';
import { Deadline } from './deadline.ts';
import { type Fed, feedText, textOf } from './feed.ts';
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

/** Seconds of unplayed speech above which text waits. */
const defaultAheadSeconds = 4;
/** If more unsent text than this is waiting, `write` waits. */
const maximumUnsentBytes = 256 * 1024;
/** If more unread audio than this is waiting, the socket is paused, if the runtime can do that. */
const pauseAboveBytes = 1024 * 1024;
/** The header of a wav file is not sound. */
const wavHeaderBytes = 44;

const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** An utterance: the text that it sends, the audio that it gets, and how it ends. */
export class Utterance implements LiveSpeech, Fed {
  readonly #request: LiveRequest;
  readonly #options: SpeakOptions;
  readonly #onEnd: (isReusable: boolean, error: unknown) => void;
  readonly #pace: Pace;
  readonly #idle: Deadline;
  readonly #total: Deadline;
  readonly #startedAt = performance.now();
  readonly #waiters = new Set<() => void>();
  /** The message that begins it. */
  readonly start: EncodedParts;
  /** The socket that serves it. */
  socket: LiveSocket | undefined;
  #isReused = false;
  hasEnded = false;
  #error: unknown;
  finishReason: string | undefined;

  /** All text that was sent, and its Unicode code points. */
  #text = '';
  #characters = 0;
  /** Text that was written in this turn of the event loop: many small writes become one message. */
  #written = '';
  #isWriting = false;
  #waitingWriters = 0;
  /** Frames that were ready before the socket opened. */
  #early: Uint8Array<ArrayBuffer>[] = [];
  #hasSentText = false;
  /** Requests another socket when there is something to send; set when the previous one has ended. */
  #reopen: (() => void) | undefined;
  #isFed = false;
  isEnding = false;
  /** True if `stop` was sent. */
  #isStopped = false;
  /** True if words were sent since the last audio arrived, and if they were flushed. */
  #isUnanswered = false;
  #owesFlushed = false;

  readonly timeline: Timeline = new Timeline();
  readonly #chunks: Uint8Array[] = [];
  #halfSample: Uint8Array = new Uint8Array();
  #bytes = 0;
  #unreadBytes = 0;
  #firstAudioAt: number | undefined;
  #hasReader = false;
  /** True while a slow reader keeps the socket from being read. */
  #isPaused = false;

  /** @param onEnd called when the utterance is over; `isReusable` if its socket may serve another one */
  constructor(
    request: LiveRequest,
    timeouts: Readonly<Record<'idle' | 'total', number>>,
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

  // How it begins.

  /** Follows the caller's signal; called once the connection knows this utterance. */
  heedSignal(): void {
    const { signal } = this.#options;
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
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
    this.tell();
  }

  /** Called when the socket has ended. Returns false if more than `start` was sent on it, which is never repeated. */
  detach(reopen: () => void): boolean {
    if (this.#hasSentText) return false;
    this.socket = undefined;
    this.#reopen = reopen;
    return true;
  }

  // Its text.

  /** Gives the utterance its text. What the source throws ends the utterance with that error. */
  async feed(source: string | AsyncIterable<string>): Promise<void> {
    this.#isFed = true;
    try {
      await feedText(source, this);
      this.#stop();
    } catch (error) {
      this.fail(error ?? new TypeError('the source of the text failed without an error'));
    }
  }

  write(text: string): Promise<void> {
    if (this.#isFed)
      throw new TypeError('speak was given the text; call speak() without one to write by hand');
    if (this.#isStopped) throw new TypeError('write after end: speak() begins another utterance');
    const written = this.send(textOf(text));
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
    this.isEnding = true;
    if (this.#isFed) this.tell();
    else this.#stop();
  }

  #stop(): void {
    this.#sendWritten(true);
    if (this.hasEnded || this.#isStopped) return;
    this.#isStopped = true;
    this.#send(encodeMessage({ event: 'stop' }));
    this.#watch();
  }

  secondsOver(): number {
    return this.#pace.secondsAhead() - (this.#options.aheadSeconds ?? defaultAheadSeconds);
  }

  /** Settles when there is room for more. A server that stops reading runs into the idle deadline. */
  async send(text: string): Promise<void> {
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
    let least = this.#unsentBytes();
    this.#watch();
    while (!this.hasEnded && this.#unsentBytes() > maximumUnsentBytes / 2) {
      const news = this.untilNews();
      await (this.socket ? Promise.race([this.socket.someSent(), news]) : news);
      // The server has read some.
      if (this.#unsentBytes() < least) this.#idle.restart();
      least = Math.min(least, this.#unsentBytes());
      this.#watch();
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

  // Its audio.

  receive(message: LiveServerMessage): void {
    if (this.hasEnded) return;
    if (message.event === 'finish') this.#finish(message.reason);
    if (message.event !== 'audio') return;
    const { audio, update } = message;
    if (update) this.timeline.apply(update);
    if (audio.length === 0) return;
    this.#firstAudioAt ??= performance.now();
    this.#bytes += audio.length;
    this.#pace.received(audio.length);
    const whole = this.#request.format === 'pcm' ? this.#wholeSamples(audio) : audio;
    if (whole.length > 0) this.#chunks.push(whole);
    this.#unreadBytes += whole.length;
    if (this.#unreadBytes > pauseAboveBytes) this.#pause(true);
    this.#owesFlushed = false;
    this.#isUnanswered = false;
    this.#idle.restart();
    this.#watch();
    this.tell();
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

  #pause(isPaused: boolean): void {
    const { socket } = this;
    if (isPaused === this.#isPaused || (isPaused && this.hasEnded)) return;
    if (!socket?.pause || !socket.resume) return;
    this.#isPaused = isPaused;
    this.#pace.pause(isPaused);
    if (isPaused) socket.pause();
    else socket.resume();
    this.#watch();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    if (this.#hasReader)
      throw new TypeError('this speech is being read or has been read; it can be read once');
    this.#hasReader = true;
    return {
      next: async () => {
        while (this.#chunks.length === 0 && !this.hasEnded) await this.untilNews();
        const audio = this.#chunks.shift();
        if (audio) {
          this.#unreadBytes -= audio.length;
          this.#pace.read(audio.length);
          if (this.#unreadBytes <= pauseAboveBytes / 2) this.#pause(false);
          // Waiting text may now be sent.
          this.tell();
          return { value: audio, done: false };
        }
        const error = this.#error;
        this.#error = undefined;
        if (error !== undefined) throw error;
        return { value: undefined, done: true };
      },
      return: async () => {
        // The caller left the loop: the remaining audio is not wanted and would be billed.
        this.interrupt();
        return { value: undefined, done: true };
      },
    };
  }

  get metrics(): LiveMetrics {
    const firstAudioAt = this.#firstAudioAt;
    return {
      firstAudioMilliseconds: firstAudioAt === undefined ? undefined : firstAudioAt - this.#startedAt,
      connectionReused: this.#isReused,
      characters: this.#characters,
      bytes: this.#bytes,
    };
  }

  // How it waits, and how it ends.

  untilNews(milliseconds?: number): Promise<void> {
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

  tell(): void {
    for (const settle of [...this.#waiters]) settle();
  }

  /** Runs the deadlines while the service has to read text or to send audio, but not while the caller is slow. */
  #watch(): void {
    if (this.hasEnded || this.socket === undefined) return;
    const hasToRead = this.#waitingWriters > 0;
    const hasToSpeak = !this.#isPaused && (this.#isStopped || this.#owesFlushed);
    this.#idle.run(hasToRead || hasToSpeak);
    this.#total.run(!this.#isPaused && this.#isStopped);
  }

  #deadline(phase: TimeoutPhase, milliseconds: number): Deadline {
    return new Deadline(milliseconds, () => this.fail(new TimeoutError(phase, milliseconds)));
  }

  #finish(reason: string): void {
    const problem = this.#problemOfFinish();
    if (problem !== undefined) this.fail(new ProtocolError(`openLiveSession: ${problem}`));
    else {
      this.finishReason = reason;
      this.timeline.apply({ type: 'end' });
      this.#end(undefined, true);
    }
  }

  #problemOfFinish(): string | undefined {
    const silentBytes = this.#request.format === 'wav' ? wavHeaderBytes : 0;
    if (!this.#isStopped) return 'finish came before stop was sent';
    if (this.#halfSample.length > 0) return 'the audio ends in half a sample';
    if (hasWords(this.#text) && this.#bytes <= silentBytes) return 'the utterance finished without audio';
    return undefined;
  }

  interrupt({ playedMs = 0 }: { readonly playedMs?: number } = {}): Interruption {
    if (!(playedMs >= 0 && playedMs < Number.POSITIVE_INFINITY)) {
      throw new RequestError(`playedMs is ${String(playedMs)}; give milliseconds from 0`, {
        field: 'playedMs',
      });
    }
    const estimated = this.timeline.segments.length === 0;
    const isWhole = this.finishReason !== undefined;
    const heard = estimated
      ? estimateHeard(this.#text, playedMs, this.#pace.receivedMilliseconds, isWhole)
      : heardWords(this.#text, this.timeline, playedMs);
    this.#chunks.length = 0;
    this.#unreadBytes = 0;
    this.#end(undefined, false);
    return { heard, estimated, playedMilliseconds: playedMs };
  }

  /** Ends the utterance with an error, and its socket. */
  fail(error: unknown): void {
    this.#end(error, false);
  }

  readonly #onAbort = (): void => this.fail(new AbortError(this.#options.signal?.reason));

  #end(error: unknown, isReusable: boolean): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.#error = error;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#idle.stop();
    this.#total.stop();
    this.#pause(false);
    this.#onEnd(isReusable, error);
    this.tell();
  }
}
