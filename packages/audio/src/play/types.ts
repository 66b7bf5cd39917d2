import type { AudioFormat } from '@speech-api/types';

/** What {@link createPlayer} needs to know before the first byte. */
export interface PlayerOptions {
  /** Format of the bytes given to `write` (section 2.3). */
  readonly format: AudioFormat;
  /**
   * Sample rate of the audio in Hz. Needed for `pcm`, which has no header of its own;
   * read from the bytes for the other formats and only a hint for them.
   *
   * @defaultValue the format's default rate (44100, or 48000 for opus)
   */
  readonly sampleRate?: number;
  /**
   * The context to play on. `pause()` suspends it, so give each player its own context.
   * A context made by the player is closed by `stop()` and after the end; a given one is left open.
   *
   * @defaultValue a new `AudioContext` at the sample rate of the audio, so that nothing is resampled at joins
   */
  readonly audioContext?: AudioContext;
  /** Where the sound goes. @defaultValue the context's destination */
  readonly destination?: AudioNode;
  /**
   * Seconds of decoded audio that may wait to be heard before `write` waits (more than 0).
   *
   * @defaultValue 20
   */
  readonly bufferSeconds?: number;
  /**
   * Seconds of decoded audio gathered before the first sound, and again after the audio ran dry (0 or more).
   *
   * @defaultValue 0.15
   */
  readonly startSeconds?: number;
  /**
   * Keeps the decoded audio, so that {@link SpeechPlayer.seek} works; the player then lives on after the end, until
   * `stop()`. Costs four bytes a sample: some 10 MB a minute at 44100 Hz.
   *
   * @defaultValue false
   */
  readonly seekable?: boolean;
  /** Called with each piece of decoded audio, in order and before it is heard: to draw it, or to measure it. */
  readonly onSamples?: (samples: DecodedSamples) => void;
}

/** A piece of decoded audio. Read it only: the player plays these very arrays. */
export interface DecodedSamples {
  /** One array a channel, all of one length; -1 to 1. */
  readonly channels: readonly Float32Array<ArrayBuffer>[];
  /** Hz. */
  readonly sampleRate: number;
}

/**
 * `waiting`: nothing to play yet, or the audio ran dry. `playing`: sound leaves.
 * `paused`: by `pause()`. `ended`: everything written was heard. `stopped`: by `stop()`.
 * `failed`: the bytes could not be decoded; see {@link SpeechPlayer.error}.
 */
export type PlayerState = 'waiting' | 'playing' | 'paused' | 'ended' | 'stopped' | 'failed';

/** Names of the events of a {@link SpeechPlayer}; each is a plain `Event`. */
export type PlayerEventName = 'state-change' | 'ended' | 'error';

/** Plays audio while it still arrives. */
export interface SpeechPlayer {
  readonly state: PlayerState;
  /**
   * Seconds of the audio that have been heard, with the delay of the output subtracted where the browser knows it.
   * Only `seek` decreases it; it does not change while the player waits or is paused. Use it with
   * `Timeline.wordAt`.
   */
  readonly currentTime: number;
  /** Seconds of audio decoded so far; the duration of the whole once `end()` has resolved. */
  readonly decodedSeconds: number;
  /** Seconds that are decoded but not heard yet. */
  readonly bufferedSeconds: number;
  /** Why the state is `failed`. */
  readonly error: Error | undefined;
  /** Resolves when everything was heard or `stop()` was called; rejects when the player failed. */
  readonly finished: Promise<void>;
  /** Called when everything written was heard, and again when it was after a `seek` (not after `stop()`). */
  onended: (() => void) | null;
  /**
   * Adds the next bytes, cut anywhere. Resolves when the player wants more: it waits while more than
   * `bufferSeconds` are queued, so awaiting it slows the source down to the speed of the listener.
   *
   * @throws the player's error when decoding failed. After `stop()` it resolves at once and does nothing.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Says that no more bytes follow. Resolves when the last of them is decoded and queued. */
  end(): Promise<void>;
  /** Holds the sound. Writing goes on until the queue is full. */
  pause(): Promise<void>;
  /** Goes on after `pause()`; also starts a context that the browser held back until a click. */
  resume(): Promise<void>;
  /**
   * Goes on from another moment of what is decoded, also after the end; a paused player stays paused.
   * `finished` tells of the first end alone, the event `ended` of each.
   *
   * @param seconds - Of the whole audio, as `currentTime` counts them; held within what is decoded.
   * @throws TypeError unless the player was made with `seekable`. After `stop()` it does nothing.
   */
  seek(seconds: number): Promise<void>;
  /** Silences at once, forgets what is queued and releases the decoder. Final. */
  stop(): Promise<void>;
  addEventListener(name: PlayerEventName, listener: (event: Event) => void): void;
  removeEventListener(name: PlayerEventName, listener: (event: Event) => void): void;
}
