import {
  AbortError,
  ConnectionError,
  ProtocolError,
  RequestError,
  TimeoutError,
  type TimeoutPhase,
} from '@speech-api/client';
import { Ahead } from './ahead.ts';
import { Deadline } from './deadline.ts';
import {
  encodeMessage,
  encodeText,
  isHighSurrogate,
  type LiveRequest,
  type LiveServerMessage,
} from './messages.ts';
import { heardText, type Interruption, millisecondsOf } from './playback.ts';
import type { LiveSocket } from './socket.ts';
import type { LiveMetrics, LiveSpeech, SpeakOptions } from './speech.ts';
import { feedText } from './text-feed.ts';

/** Limits of an utterance; those of the connection. */
export interface UtteranceLimits {
  readonly idleMilliseconds: number;
  readonly totalMilliseconds: number;
  readonly pauseAboveBytes: number;
  readonly maximumUnreadBytes: number;
  readonly maximumUnsentBytes: number;
}

/** A socket with the `start` of an utterance to be sent on it. */
export interface Attachment {
  readonly socket: LiveSocket;
  readonly reused: boolean;
  readonly traceId: string | undefined;
}

/** What an utterance tells its connection: that it is over, and whether the socket may serve another one. */
export type OnEnd = (reusable: boolean) => void;

/** The utterance as its connection sees it. */
export class Utterance implements LiveSpeech {
  readonly #request: LiveRequest;
  readonly #limits: UtteranceLimits;
  readonly #options: SpeakOptions;
  readonly #onEnd: OnEnd;
  readonly #idle: Deadline;
  readonly #total: Deadline;
  readonly #pcm: boolean;
  #attached: Attachment | undefined;
  /** Frames from before the socket was there. */
  readonly #early: Uint8Array<ArrayBuffer>[] = [];
  /** Text that was written in this turn of the event loop: many small writes become one message. */
  #written = '';
  #writing = false;
  #text = '';
  readonly #ahead: Ahead;
  #fed = false;
  /** Whether the caller ended a text that is still being held back. */
  #ending = false;
  #stopped = false;
  #flushOwed = false;
  /** Whether words were sent since the last audio came. */
  #unheard = false;
  #waiting = 0;
  readonly #audio: Uint8Array[] = [];
  #unreadBytes = 0;
  #paused = false;
  #oddByte: number | undefined;
  #taken = false;
  #ended = false;
  #error: unknown;
  readonly #news = new Set<() => void>();
  #bytes = 0;
  #characters = 0;
  #firstTextAt: number | undefined;
  #firstAudioAt: number | undefined;

  constructor(request: LiveRequest, limits: UtteranceLimits, options: SpeakOptions, onEnd: OnEnd) {
    this.#request = request;
    this.#limits = limits;
    this.#options = options;
    this.#onEnd = onEnd;
    this.#pcm = request.format === 'pcm';
    this.#ahead = new Ahead(request.format !== 'opus', options.played);
    this.#idle = this.#deadline('idle', limits.idleMilliseconds);
    this.#total = this.#deadline('total', limits.totalMilliseconds);
  }

  /** Heeds the caller's signal; called once the connection knows this utterance. */
  heedSignal(): void {
    const { signal } = this.#options;
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get metrics(): LiveMetrics {
    return {
      firstAudioMilliseconds:
        this.#firstAudioAt === undefined
          ? undefined
          : this.#firstAudioAt - (this.#firstTextAt ?? this.#firstAudioAt),
      connectionReused: this.#attached?.reused ?? false,
      characters: this.#characters,
      bytes: this.#bytes,
    };
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The socket is there: what was written meanwhile goes out behind `start`. */
  attach(attachment: Attachment, start: Uint8Array<ArrayBuffer>): void {
    if (this.#ended) return;
    this.#attached = attachment;
    attachment.socket.send(start);
    for (const frame of this.#early.splice(0)) attachment.socket.send(frame);
    this.#watch();
    this.#tell();
  }

  write(text: string): Promise<void> {
    if (this.#fed) throw new TypeError('speak was given the text; call speak() without one to write by hand');
    if (this.#stopped) throw new TypeError('write after end: speak() begins another utterance');
    const written = this.#write(text);
    // The loop over the audio throws it too, so a caller that does not wait here still hears of it.
    written.catch(() => {});
    return written;
  }

  flush(): void {
    this.#sendWritten();
    if (this.#ended || this.#stopped) return;
    this.#send(encodeMessage({ event: 'flush' }));
    // Text that audio followed may all be spoken already: then there is nothing to wait for.
    if (this.#unheard) this.#flushOwed = true;
    this.#watch();
  }

  end(): void {
    if (!this.#fed) this.#stop();
    else {
      this.#ending = true;
      this.#tell();
    }
  }

  #stop(): void {
    this.#sendWritten(true);
    if (this.#ended || this.#stopped) return;
    this.#stopped = true;
    this.#send(encodeMessage({ event: 'stop' }));
    this.#watch();
  }

  interrupt({ playedMs = 0 }: { readonly playedMs?: number } = {}): Interruption {
    if (!(playedMs >= 0 && playedMs < Number.POSITIVE_INFINITY)) {
      throw new RequestError(`playedMs is ${String(playedMs)}; give milliseconds from 0`, {
        field: 'playedMs',
      });
    }
    const complete = this.#ended && this.#error === undefined;
    const heard = heardText(this.#text, playedMs, millisecondsOf(this.#bytes, this.#request), complete);
    this.#audio.length = 0;
    this.#end(undefined, false);
    return { heard, estimated: true, playedMilliseconds: playedMs };
  }

  /** Gives the utterance its text. What the source throws ends the utterance with that error. */
  async feed(source: string | AsyncIterable<string>): Promise<void> {
    this.#fed = true;
    try {
      await feedText(source, this.#options, {
        send: async (text, flush) => {
          await this.#write(text);
          if (flush) this.flush();
        },
        flush: () => this.flush(),
        aheadSeconds: () => this.#ahead.seconds(),
        ended: () => this.#ended,
        wait: (milliseconds) => this.#wait(milliseconds),
        untilEnding: () => this.#untilEnding(),
      });
      this.#stop();
    } catch (error) {
      this.fail(error ?? new TypeError('the source of the text failed without an error'));
    }
  }

  receive(message: LiveServerMessage): void {
    if (this.#ended) return;
    if (message.event === 'audio') this.#onAudio(message.audio);
    else if (message.event === 'finish') this.#onFinish();
  }

  /** Ends the utterance with an error, and its socket. */
  fail(error: unknown): void {
    this.#end(error, false);
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    if (this.#taken) throw new TypeError('this speech is being read or has been read; it can be read once');
    this.#taken = true;
    return {
      next: async () => {
        for (;;) {
          const audio = this.#audio.shift();
          if (audio) {
            this.#unreadBytes -= audio.length;
            if (this.#paused && this.#unreadBytes <= this.#limits.pauseAboveBytes / 2) this.#pause(false);
            return { value: audio, done: false };
          }
          if (this.#ended) {
            const error = this.#error;
            this.#error = undefined;
            if (error !== undefined) throw error;
            return { value: undefined, done: true };
          }
          await new Promise<void>((resolve) => this.#news.add(resolve));
        }
      },
      // Leaving the loop: the rest is not wanted, and would be billed.
      return: async () => {
        if (!this.#ended) this.interrupt();
        this.#audio.length = 0;
        return { value: undefined, done: true };
      },
    };
  }

  readonly #onAbort = (): void => this.fail(new AbortError(this.#options.signal?.reason));

  async #write(text: string): Promise<void> {
    if (this.#ended) throw this.#error ?? new ConnectionError('openLiveSession: the utterance has ended');
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

  #sendWritten(last = false): void {
    if (this.#ended || this.#stopped) return;
    let text = this.#written;
    this.#written = '';
    // The other half of a pair comes with the next write.
    if (!last && text !== '' && isHighSurrogate(text, text.length - 1)) {
      this.#written = text.slice(-1);
      text = text.slice(0, -1);
    }
    if (text === '') return;
    this.#firstTextAt ??= performance.now();
    this.#text += text;
    this.#ahead.sent(text);
    if (/[\p{L}\p{N}]/u.test(text)) this.#unheard = true;
    for (const _ of text) this.#characters += 1;
    for (const frame of encodeText(text)) this.#send(frame);
  }

  #send(frame: Uint8Array<ArrayBuffer>): void {
    if (this.#attached) this.#attached.socket.send(frame);
    else this.#early.push(frame);
  }

  /** Waits until what was written has mostly left. A server that stops reading meets the idle deadline. */
  async #room(): Promise<void> {
    if (this.#backlog() <= this.#limits.maximumUnsentBytes) return;
    this.#sendWritten();
    this.#waiting += 1;
    let least = this.#backlog();
    this.#watch();
    try {
      while (!this.#ended && this.#backlog() > this.#limits.maximumUnsentBytes / 2) {
        const news = this.#untilNews();
        await (this.#attached ? Promise.race([this.#attached.socket.someSent(), news]) : news);
        const left = this.#backlog();
        if (left < least) this.#idle.restart();
        least = Math.min(least, left);
      }
    } finally {
      this.#waiting -= 1;
      this.#watch();
    }
    if (this.#ended && this.#error !== undefined) throw this.#error;
  }

  #backlog(): number {
    const early = this.#early.reduce((sum, { length }) => sum + length, 0);
    return this.#written.length + early + (this.#attached?.socket.unsentBytes() ?? 0);
  }

  #onAudio(audio: Uint8Array): void {
    if (audio.length === 0) return;
    this.#firstAudioAt ??= performance.now();
    this.#flushOwed = false;
    this.#unheard = false;
    this.#bytes += audio.length;
    this.#ahead.received(millisecondsOf(audio.length, this.#request));
    const whole = this.#pcm ? this.#wholeSamples(audio) : audio;
    if (whole.length > 0) {
      this.#audio.push(whole);
      this.#unreadBytes += whole.length;
    }
    this.#idle.restart();
    if (this.#unreadBytes > this.#limits.pauseAboveBytes && !this.#paused) this.#pause(true);
    if (!this.#paused && this.#unreadBytes > this.#limits.maximumUnreadBytes) {
      const { maximumUnreadBytes } = this.#limits;
      this.fail(
        new ConnectionError(
          `openLiveSession: ${this.#unreadBytes} bytes of audio are unread, the limit is ${maximumUnreadBytes}, ` +
            'and this runtime cannot pause a socket; read faster or set maximumUnreadBytes',
        ),
      );
      return;
    }
    this.#watch();
    this.#tell();
  }

  /** pcm in whole samples: half a one is kept until its other half comes. */
  #wholeSamples(audio: Uint8Array): Uint8Array {
    let bytes = audio;
    if (this.#oddByte !== undefined) {
      bytes = new Uint8Array(audio.length + 1);
      bytes[0] = this.#oddByte;
      bytes.set(audio, 1);
      this.#oddByte = undefined;
    }
    if (bytes.length % 2 === 0) return bytes;
    this.#oddByte = bytes.at(-1);
    return bytes.subarray(0, -1);
  }

  #onFinish(): void {
    const spoken = /[\p{L}\p{N}]/u.test(this.#text);
    // The header of a wav file is not sound.
    const header = this.#request.format === 'wav' ? 44 : 0;
    if (!this.#stopped) this.fail(new ProtocolError('openLiveSession: finish came before stop was sent'));
    else if (this.#characters === 0) {
      // The caller's mistake, not the server's: the socket goes on.
      this.#end(new RequestError('no text was written before end', { field: 'text' }), true);
    } else if (this.#oddByte !== undefined) {
      this.fail(new ProtocolError('openLiveSession: the audio ends in half a sample'));
    } else if (spoken && this.#bytes <= header) {
      this.fail(new ProtocolError('openLiveSession: the utterance finished without audio'));
    } else this.#end(undefined, true);
  }

  #end(error: unknown, reusable: boolean): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#written = '';
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#idle.stop();
    this.#total.stop();
    if (this.#paused) this.#pause(false);
    this.#onEnd(reusable);
    this.#tell();
  }

  #pause(paused: boolean): void {
    const socket = this.#attached?.socket;
    if (!socket?.pause || !socket.resume || (paused && this.#ended)) return;
    this.#paused = paused;
    this.#ahead.pause(paused);
    if (paused) socket.pause();
    else socket.resume();
    if (!this.#ended) this.#watch();
  }

  /** Runs the deadlines while something is owed, and never while the writer thinks or the reader is slow. */
  #watch(): void {
    if (this.#ended || this.#attached === undefined) return;
    const sending = this.#waiting > 0;
    this.#idle.run(sending || (!this.#paused && (this.#stopped || this.#flushOwed)));
    this.#total.run(!this.#paused && this.#stopped);
  }

  #deadline(phase: TimeoutPhase, milliseconds: number): Deadline {
    return new Deadline(milliseconds, () => this.fail(new TimeoutError(phase, milliseconds)));
  }

  #tell(): void {
    const waiting = [...this.#news];
    this.#news.clear();
    for (const resolve of waiting) resolve();
  }

  #untilNews(): Promise<void> {
    return this.#ended ? Promise.resolve() : new Promise((resolve) => this.#news.add(resolve));
  }

  async #untilEnding(): Promise<void> {
    while (!this.#ended && !this.#ending) await this.#untilNews();
  }

  /** Settles after a time, or at once when the utterance ends. */
  async #wait(milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    while (!this.#ended && performance.now() < until) await Promise.race([over, this.#untilNews()]);
    clearTimeout(timer);
  }
}
