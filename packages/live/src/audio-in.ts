import { Timeline } from '@speech-api/streaming';
import type { LiveRequest, LiveServerMessage } from './messages.ts';
import { estimateHeard, heardWords, type Pace } from './pace.ts';
import type { Progress } from './progress.ts';
import type { LiveSocket } from './socket.ts';

/** If more unread audio than this is waiting, the socket is paused, if the runtime can do that. */
const pauseAboveBytes = 1024 * 1024;
/** The header of a wav file is not sound. */
const wavHeaderBytes = 44;

/** The part of an utterance that was heard. */
export interface Interruption {
  /** The beginning of the text, up to a whole word. Empty before playback began. */
  readonly heard: string;
  /** False if word times came with the audio; otherwise the spoken word can only be estimated. */
  readonly estimated: boolean;
  readonly playedMilliseconds: number;
}

/** The half of an utterance that receives: its audio in whole samples for one reader, and its word times. */
export class AudioIn {
  readonly #request: LiveRequest;
  readonly #progress: Progress;
  readonly #pace: Pace;
  readonly #onPause: () => void;
  readonly timeline: Timeline = new Timeline();
  readonly #chunks: Uint8Array[] = [];
  #unreadBytes = 0;
  #halfSample: Uint8Array = new Uint8Array();
  #hasReader = false;
  /** The socket that can be paused. */
  socket: LiveSocket | undefined;
  isPaused = false;
  bytes = 0;
  firstAudioAt: number | undefined;

  constructor(request: LiveRequest, progress: Progress, pace: Pace, onPause: () => void) {
    this.#request = request;
    this.#progress = progress;
    this.#pace = pace;
    this.#onPause = onPause;
  }

  get endsInHalfSample(): boolean {
    return this.#halfSample.length > 0;
  }

  get hasSound(): boolean {
    return this.bytes > (this.#request.format === 'wav' ? wavHeaderBytes : 0);
  }

  /** Stores the audio of a message for the reader. Returns false if there is none. */
  receive({ audio, update }: Extract<LiveServerMessage, { readonly event: 'audio' }>): boolean {
    if (update) this.timeline.apply(update);
    if (audio.length === 0) return false;
    this.firstAudioAt ??= performance.now();
    this.bytes += audio.length;
    this.#pace.received(audio.length);
    const whole = this.#request.format === 'pcm' ? this.#wholeSamples(audio) : audio;
    if (whole.length > 0) this.#chunks.push(whole);
    this.#unreadBytes += whole.length;
    if (this.#unreadBytes > pauseAboveBytes) this.pause(true);
    return true;
  }

  pause(isPaused: boolean): void {
    if (isPaused === this.isPaused || (isPaused && this.#progress.hasEnded)) return;
    if (!this.socket?.pause || !this.socket.resume) return;
    this.isPaused = isPaused;
    this.#pace.pause(isPaused);
    if (isPaused) this.socket.pause();
    else this.socket.resume();
    this.#onPause();
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

  /** The audio for one loop. @param onLeave called when the caller leaves it early */
  read(onLeave: () => void): AsyncIterator<Uint8Array, undefined> {
    if (this.#hasReader)
      throw new TypeError('this speech is being read or has been read; it can be read once');
    this.#hasReader = true;
    const progress = this.#progress;
    return {
      next: async () => {
        while (this.#chunks.length === 0 && !progress.hasEnded) await progress.untilNews();
        const audio = this.#chunks.shift();
        if (audio) {
          this.#unreadBytes -= audio.length;
          this.#pace.read(audio.length);
          if (this.#unreadBytes <= pauseAboveBytes / 2) this.pause(false);
          // Waiting text may now be sent.
          progress.tell();
          return { value: audio, done: false };
        }
        const { error } = progress;
        progress.error = undefined;
        if (error !== undefined) throw error;
        return { value: undefined, done: true };
      },
      return: async () => {
        onLeave();
        return { value: undefined, done: true };
      },
    };
  }

  /** What was heard of a text after so much playing. @param isWhole all of its audio came */
  heard(text: string, playedMilliseconds: number, isWhole: boolean): Interruption {
    const estimated = this.timeline.segments.length === 0;
    const heardText = estimated
      ? estimateHeard(text, playedMilliseconds, this.#pace.receivedMilliseconds, isWhole)
      : heardWords(text, this.timeline, playedMilliseconds);
    return { heard: heardText, estimated, playedMilliseconds };
  }

  /** Discards unread audio. */
  forget(): void {
    this.#chunks.length = 0;
    this.#unreadBytes = 0;
  }
}
