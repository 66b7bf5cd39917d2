import { AbortError, ProtocolError, RequestError, TimeoutError, type TimeoutPhase } from '@speech-api/client';
import type { Timeline } from '@speech-api/streaming';
import { AudioIn, type Interruption } from './audio-in.ts';
import { Deadline } from './deadline.ts';
import { encodeStart, type LiveRequest, type LiveServerMessage } from './messages.ts';
import type { SpeakOptions } from './options.ts';
import { Pace } from './pace.ts';
import { Progress } from './progress.ts';
import type { LiveSocket } from './socket.ts';
import { TextOut } from './text-out.ts';

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

/** Seconds of unplayed speech above which text waits. */
const defaultAheadSeconds = 4;

/** An utterance: its two halves, and how it ends. */
export class Utterance implements LiveSpeech {
  readonly #options: SpeakOptions;
  readonly #onEnd: (isReusable: boolean, error: unknown) => void;
  readonly #progress = new Progress();
  readonly #text: TextOut;
  readonly #audio: AudioIn;
  readonly #idle: Deadline;
  readonly #total: Deadline;
  readonly #startedAt = performance.now();
  #isReused = false;
  /** The message that begins it. */
  readonly start: Blob;
  /** The socket that serves it. */
  socket: LiveSocket | undefined;
  finishReason: string | undefined;

  /** @param onEnd called when the utterance is over; `isReusable` if its socket may serve another one */
  constructor(
    request: LiveRequest,
    timeouts: UtteranceTimeouts,
    options: SpeakOptions,
    onEnd: (isReusable: boolean, error: unknown) => void,
  ) {
    const { played, aheadSeconds = defaultAheadSeconds } = options;
    this.#options = options;
    this.#onEnd = onEnd;
    this.start = encodeStart(request);
    const pace = new Pace(request, played);
    this.#audio = new AudioIn(request, this.#progress, pace, () => this.#watch());
    this.#text = new TextOut(this.#progress, pace, aheadSeconds, (hasSent) => {
      if (hasSent) this.#idle.restart();
      this.#watch();
    });
    this.#idle = this.#deadline('idle', timeouts.idle);
    this.#total = this.#deadline('total', timeouts.total);
  }

  /** Follows the caller's signal; called once the connection knows this utterance. */
  heedSignal(): void {
    const { signal } = this.#options;
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get hasEnded(): boolean {
    return this.#progress.hasEnded;
  }

  get timeline(): Timeline {
    return this.#audio.timeline;
  }

  get metrics(): LiveMetrics {
    const { firstAudioAt, bytes } = this.#audio;
    return {
      firstAudioMilliseconds: firstAudioAt === undefined ? undefined : firstAudioAt - this.#startedAt,
      connectionReused: this.#isReused,
      characters: this.#text.characters,
      bytes,
    };
  }

  /** Gives the utterance its text. What the source throws ends the utterance with that error. */
  async feed(source: string | AsyncIterable<string>): Promise<void> {
    try {
      await this.#text.feed(source);
    } catch (error) {
      this.fail(error ?? new TypeError('the source of the text failed without an error'));
    }
  }

  write(text: string): Promise<void> {
    return this.#text.write(text);
  }

  flush(): void {
    this.#text.flush();
  }

  end(): void {
    this.#text.end();
  }

  /** Called when the socket is open: sends `start` and everything written meanwhile. */
  attach(socket: LiveSocket, start: Uint8Array<ArrayBuffer>, isReused: boolean): void {
    if (this.hasEnded) return;
    this.#isReused = isReused;
    this.socket = socket;
    this.#audio.socket = socket;
    this.#text.attach(socket, start);
    this.#watch();
    this.#progress.tell();
  }

  /** Called when the socket has ended. Returns false if more than `start` was sent on it, which is never repeated. */
  detach(reopen: () => void): boolean {
    if (!this.#text.detach(reopen)) return false;
    this.socket = undefined;
    return true;
  }

  receive(message: LiveServerMessage): void {
    if (this.hasEnded) return;
    if (message.event === 'finish') this.#finish(message.reason);
    if (message.event !== 'audio' || !this.#audio.receive(message)) return;
    this.#text.answered();
    this.#idle.restart();
    this.#watch();
    this.#progress.tell();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    // The caller left the loop: the remaining audio is not wanted and would be billed.
    return this.#audio.read(() => void this.interrupt());
  }

  #finish(reason: string): void {
    const problem = this.#problemOfFinish();
    if (problem !== undefined) this.fail(new ProtocolError(`openLiveSession: ${problem}`));
    else {
      this.finishReason = reason;
      this.#end(undefined, true);
    }
  }

  #problemOfFinish(): string | undefined {
    if (!this.#text.isStopped) return 'finish came before stop was sent';
    if (this.#audio.endsInHalfSample) return 'the audio ends in half a sample';
    if (this.#text.hasWords && !this.#audio.hasSound) return 'the utterance finished without audio';
    return undefined;
  }

  interrupt({ playedMs = 0 }: { readonly playedMs?: number } = {}): Interruption {
    if (!(playedMs >= 0 && playedMs < Number.POSITIVE_INFINITY)) {
      throw new RequestError(`playedMs is ${String(playedMs)}; give milliseconds from 0`, {
        field: 'playedMs',
      });
    }
    const interruption = this.#audio.heard(this.#text.text, playedMs, this.finishReason !== undefined);
    this.#audio.forget();
    this.#end(undefined, false);
    return interruption;
  }

  /** Ends the utterance with an error, and its socket. */
  fail(error: unknown): void {
    this.#end(error, false);
  }

  #end(error: unknown, isReusable: boolean): void {
    if (this.hasEnded) return;
    this.#progress.hasEnded = true;
    this.#progress.error = error;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#idle.stop();
    this.#total.stop();
    this.#audio.pause(false);
    this.#onEnd(isReusable, error);
    this.#progress.tell();
  }

  readonly #onAbort = (): void => this.fail(new AbortError(this.#options.signal?.reason));

  /** Runs the deadlines while the service owes audio, but not while the writer thinks or the reader is slow. */
  #watch(): void {
    if (this.hasEnded || this.socket === undefined) return;
    const { isSending, owesAudio, isStopped } = this.#text;
    const { isPaused } = this.#audio;
    this.#idle.run(isSending || (!isPaused && owesAudio));
    this.#total.run(!isPaused && isStopped);
  }

  #deadline(phase: TimeoutPhase, milliseconds: number): Deadline {
    return new Deadline(milliseconds, () => this.fail(new TimeoutError(phase, milliseconds)));
  }
}
