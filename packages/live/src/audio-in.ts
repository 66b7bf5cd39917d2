import { ConnectionError } from '@speech-api/client';
import type { Life } from './life.ts';
import type { LiveRequest } from './messages.ts';
import { millisecondsOf, type Pace } from './pace.ts';
import type { LiveSocket } from './socket.ts';

/** Limits of audio that nobody has read yet. */
export interface UnreadLimits {
  readonly pauseAboveBytes: number;
  readonly maximumUnreadBytes: number;
}

/** The half of an utterance that receives audio and keeps it for one reader. */
export class AudioIn {
  readonly #life: Life;
  readonly #pace: Pace;
  readonly #request: LiveRequest;
  readonly #limits: UnreadLimits;
  readonly #chunks: Uint8Array[] = [];
  #unreadBytes = 0;
  #oddByte: number | undefined;
  #taken = false;
  socket: LiveSocket | undefined;
  paused = false;
  bytes = 0;
  firstAudioAt: number | undefined;

  constructor(life: Life, pace: Pace, request: LiveRequest, limits: UnreadLimits) {
    this.#life = life;
    this.#pace = pace;
    this.#request = request;
    this.#limits = limits;
  }

  get endsInHalfASample(): boolean {
    return this.#oddByte !== undefined;
  }

  /** Audio came. `isAwaited`: a writer waits for room, so that the server has to be read even before a reader is there. */
  receive(audio: Uint8Array, isAwaited: boolean): void {
    this.firstAudioAt ??= performance.now();
    this.bytes += audio.length;
    this.#pace.received(millisecondsOf(audio.length, this.#request));
    const whole = this.#request.format === 'pcm' ? this.#wholeSamples(audio) : audio;
    if (whole.length > 0) {
      this.#chunks.push(whole);
      this.#unreadBytes += whole.length;
    }
    if (this.#unreadBytes > this.#limits.pauseAboveBytes && !(isAwaited && !this.#taken)) this.pause(true);
    const { maximumUnreadBytes } = this.#limits;
    if (!this.paused && this.#unreadBytes > maximumUnreadBytes) {
      this.#life.fail(
        new ConnectionError(
          `openLiveSession: ${this.#unreadBytes} bytes of audio are unread, the limit is ${maximumUnreadBytes}, ` +
            'and the socket cannot be paused; read faster or set maximumUnreadBytes',
        ),
      );
    }
  }

  /** A writer waits for room: before a reader is there, a paused server would never make any. */
  makeRoom(): void {
    if (!this.#taken) this.pause(false);
  }

  pause(paused: boolean): void {
    if (paused === this.paused || (paused && this.#life.ended)) return;
    if (!this.socket?.pause || !this.socket.resume) return;
    this.paused = paused;
    this.#pace.pause(paused);
    if (paused) this.socket.pause();
    else this.socket.resume();
    this.#life.watch();
  }

  /** Throws away what was not read. */
  clear(): void {
    this.#chunks.length = 0;
    this.#unreadBytes = 0;
  }

  iterate(leave: () => void): AsyncIterator<Uint8Array, undefined> {
    if (this.#taken) throw new TypeError('this speech is being read or has been read; it can be read once');
    this.#taken = true;
    const life = this.#life;
    return {
      next: async () => {
        for (;;) {
          const audio = this.#chunks.shift();
          if (audio) {
            this.#take(audio);
            return { value: audio, done: false };
          }
          if (life.ended) {
            const { error } = life;
            life.error = undefined;
            if (error !== undefined) throw error;
            return { value: undefined, done: true };
          }
          await life.untilNews();
        }
      },
      // Leaving the loop: the rest is not wanted, and would be billed.
      return: async () => {
        leave();
        return { value: undefined, done: true };
      },
    };
  }

  #take(audio: Uint8Array): void {
    this.#unreadBytes -= audio.length;
    this.#pace.read(millisecondsOf(audio.length, this.#request));
    if (this.#unreadBytes <= this.#limits.pauseAboveBytes / 2) this.pause(false);
    // Text may have waited for this.
    this.#life.tell();
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
}
