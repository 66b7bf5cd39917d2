import { AbortError, ProtocolError, RequestError, TimeoutError, type TimeoutPhase } from '@speech-api/client';
import { Timeline } from '@speech-api/streaming';
import { AudioIn, type UnreadLimits } from './audio-in.ts';
import { aheadSeconds } from './defaults.ts';
import { heardWords } from './heard-words.ts';
import { Deadline, type Life } from './life.ts';
import type { LiveRequest, LiveServerMessage } from './messages.ts';
import { Pace } from './pace.ts';
import type { LiveSocket } from './socket.ts';
import type { Interruption, LiveMetrics, LiveSpeech, SpeakOptions } from './speech.ts';
import { feedText, textOf } from './text-feed.ts';
import { TextOut } from './text-out.ts';

/** Limits of an utterance; those of the connection. */
export interface UtteranceLimits extends UnreadLimits {
  readonly idleMilliseconds: number;
  readonly totalMilliseconds: number;
  readonly maximumUnsentBytes: number;
}

/** Called when an utterance is over; `reusable` is true if the socket may serve another one. */
export type OnEnd = (reusable: boolean) => void;

/** The utterance as its connection sees it. */
export class Utterance implements LiveSpeech, Life {
  readonly #request: LiveRequest;
  readonly #options: SpeakOptions;
  readonly #onEnd: OnEnd;
  readonly #pace: Pace;
  readonly #out: TextOut;
  readonly #in: AudioIn;
  readonly #total: Deadline;
  readonly #news = new Set<() => void>();
  #reused = false;
  #fed = false;
  readonly timeline = new Timeline();
  readonly idle: Deadline;
  ended = false;
  ending = false;
  error: unknown;

  constructor(request: LiveRequest, limits: UtteranceLimits, options: SpeakOptions, onEnd: OnEnd) {
    this.#request = request;
    this.#options = options;
    this.#onEnd = onEnd;
    this.#pace = new Pace(request.format !== 'opus', options.played);
    this.#out = new TextOut(this, this.#pace, limits.maximumUnsentBytes);
    this.#in = new AudioIn(this, this.#pace, request, limits);
    this.idle = this.#deadline('idle', limits.idleMilliseconds);
    this.#total = this.#deadline('total', limits.totalMilliseconds);
  }

  /** Heeds the caller's signal; called once the connection knows this utterance. */
  heedSignal(): void {
    const { signal } = this.#options;
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get metrics(): LiveMetrics {
    const { firstTextAt, characters } = this.#out;
    const { firstAudioAt, bytes } = this.#in;
    return {
      firstAudioMilliseconds:
        firstAudioAt === undefined ? undefined : firstAudioAt - (firstTextAt ?? firstAudioAt),
      connectionReused: this.#reused,
      characters,
      bytes,
    };
  }

  /** The socket that serves this utterance. */
  get socket(): LiveSocket | undefined {
    return this.#in.socket;
  }

  attach(socket: LiveSocket, start: Uint8Array<ArrayBuffer>, reused: boolean): void {
    if (this.ended) return;
    this.#reused = reused;
    this.#in.socket = socket;
    this.#out.attach(socket, start);
    this.watch();
    this.tell();
  }

  /** The socket was closed. Gives false where more than `start` was sent on it, which is never sent twice. */
  detach(reopen: () => void): boolean {
    if (!this.#out.detach(reopen)) return false;
    this.#in.socket = undefined;
    return true;
  }

  write(text: string): Promise<void> {
    if (this.#fed) throw new TypeError('speak was given the text; call speak() without one to write by hand');
    if (this.#out.stopped) throw new TypeError('write after end: speak() begins another utterance');
    const written = this.#out.write(textOf(text));
    // The loop over the audio throws it too, so a caller that does not wait here still learns of it.
    written.catch(() => {});
    return written;
  }

  flush(): void {
    this.#out.flush();
  }

  end(): void {
    if (!this.#fed) this.#out.stop();
    else {
      this.ending = true;
      this.tell();
    }
  }

  interrupt({ playedMs = 0 }: { readonly playedMs?: number } = {}): Interruption {
    if (!(playedMs >= 0 && playedMs < Number.POSITIVE_INFINITY)) {
      throw new RequestError(`playedMs is ${String(playedMs)}; give milliseconds from 0`, {
        field: 'playedMs',
      });
    }
    const { text } = this.#out;
    const estimated = this.timeline.segments.length === 0;
    const heard = estimated ? this.#pace.heard(text, playedMs) : heardWords(text, this.timeline, playedMs);
    this.#in.clear();
    this.#end(undefined, false);
    return { heard, estimated, playedMilliseconds: playedMs };
  }

  /** Gives the utterance its text. What the source throws ends the utterance with that error. */
  async feed(source: string | AsyncIterable<string>): Promise<void> {
    this.#fed = true;
    try {
      await feedText(source, this.#options.aheadSeconds ?? aheadSeconds, this.#out, this.#pace, this);
      this.#out.stop();
    } catch (error) {
      this.fail(error ?? new TypeError('the source of the text failed without an error'));
    }
  }

  receive(message: LiveServerMessage): void {
    if (this.ended) return;
    if (message.event === 'finish') {
      this.#onFinish();
      return;
    }
    if (message.event !== 'audio') return;
    if (message.update) this.timeline.apply(message.update);
    if (message.audio.length > 0) {
      this.#out.audioCame();
      this.idle.restart();
      this.#in.receive(message.audio, this.#out.waiting > 0);
      this.watch();
      this.tell();
    }
  }

  /** Ends the utterance with an error, and its socket. */
  fail(error: unknown): void {
    this.#end(error, false);
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return this.#in.iterate(() => {
      if (!this.ended) this.interrupt();
      this.#in.clear();
    });
  }

  /** Runs the deadlines while something is owed, and never while the writer thinks or the reader is slow. */
  watch(): void {
    if (this.ended || this.socket === undefined) return;
    const sending = this.#out.waiting > 0;
    if (sending) this.#in.makeRoom();
    const { paused } = this.#in;
    this.idle.run(sending || (!paused && this.#out.audioIsOwed));
    this.#total.run(!paused && this.#out.stopped);
  }

  tell(): void {
    const waiting = [...this.#news];
    this.#news.clear();
    for (const resolve of waiting) resolve();
  }

  untilNews(): Promise<void> {
    return this.ended ? Promise.resolve() : new Promise((resolve) => this.#news.add(resolve));
  }

  readonly #onAbort = (): void => this.fail(new AbortError(this.#options.signal?.reason));

  #onFinish(): void {
    // The header of a wav file is not sound.
    const header = this.#request.format === 'wav' ? 44 : 0;
    const { stopped, characters, hasWords } = this.#out;
    if (!stopped) this.fail(new ProtocolError('openLiveSession: finish came before stop was sent'));
    else if (characters === 0) {
      // The caller's mistake, not the server's: the socket can serve the next utterance.
      this.#end(new RequestError('no text was written before end', { field: 'text' }), true);
    } else if (this.#in.endsInHalfASample) {
      this.fail(new ProtocolError('openLiveSession: the audio ends in half a sample'));
    } else if (hasWords && this.#in.bytes <= header) {
      this.fail(new ProtocolError('openLiveSession: the utterance finished without audio'));
    } else {
      this.#pace.finished();
      this.#end(undefined, true);
    }
  }

  #end(error: unknown, reusable: boolean): void {
    if (this.ended) return;
    this.ended = true;
    this.error = error;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.idle.stop();
    this.#total.stop();
    this.#in.pause(false);
    this.#onEnd(reusable);
    this.tell();
  }

  #deadline(phase: TimeoutPhase, milliseconds: number): Deadline {
    return new Deadline(milliseconds, () => this.fail(new TimeoutError(phase, milliseconds)));
  }
}
