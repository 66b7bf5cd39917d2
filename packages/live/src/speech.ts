import type { Timeline } from '@speech-api/streaming';
import type { LiveRequest } from './messages.ts';

/** The part of an utterance that was heard. */
export interface Interruption {
  /** The beginning of the text, up to a whole word. Empty before playback began. */
  readonly heard: string;
  /** False where word times came with the audio; otherwise nothing says which word is spoken when. */
  readonly estimated: boolean;
  readonly playedMilliseconds: number;
}

/** Metrics of an utterance, while it runs and afterwards. */
export interface LiveMetrics {
  /** Milliseconds from the first text that was sent to the first audio; undefined before it. */
  readonly firstAudioMilliseconds: number | undefined;
  /** True if the socket had served an utterance before this one. */
  readonly connectionReused: boolean;
  /** Unicode code points that were sent: what a service bills by. */
  readonly characters: number;
  /** Bytes of audio that arrived. */
  readonly bytes: number;
}

/** The options of `speak`, in addition to the text. */
export interface SpeakOptions {
  /** Ends the utterance, and its socket, with an `AbortError`. */
  readonly signal?: AbortSignal | undefined;
  /** Voice, format and settings of this utterance where they differ from those of the connection. */
  readonly request?: LiveRequest | undefined;
  /**
   * Milliseconds of this utterance that a player has played, for the limit `aheadSeconds`.
   * @defaultValue audio counts as played once it was read
   */
  readonly played?: (() => number) | undefined;
  /**
   * Text waits while more than this many seconds are ahead of playback, in audio that came and in text whose audio is
   * still to come (estimated): what nobody listens to is not billed. A sentence that has begun is sent whole. What
   * `write` gives is not held. `Infinity` never waits. @defaultValue 4
   */
  readonly aheadSeconds?: number | undefined;
}

/**
 * One text in, one audio out. Iterate it once: the loop ends with the utterance and throws what went wrong with it.
 * Audio that came before an error is given first. Leaving the loop early interrupts the utterance.
 */
export interface LiveSpeech extends AsyncIterable<Uint8Array> {
  /** Adds text. Settles when there is room for more; without waiting, what is written is kept and still sent in order. */
  write(text: string): Promise<void>;
  /** Has everything written so far spoken now. */
  flush(): void;
  /** There is no more text. The audio ends when all of it is spoken. */
  end(): void;
  /**
   * Ends the utterance at once by closing the socket: the protocol has no other way. The loop over the audio ends
   * without an error, and no byte of it reaches a later utterance.
   */
  interrupt(options?: { readonly playedMs?: number }): Interruption;
  readonly metrics: LiveMetrics;
  /** When each word is spoken; empty unless the connection asked for `timestamps`. */
  readonly timeline: Timeline;
}
