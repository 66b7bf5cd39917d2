/** Options of `openPlayer`. */
export interface OpenPlayerOptions {
  /** Hz. Needed for `pcm`, which has no header. @defaultValue the format's default rate (44100, or 48000 for opus) */
  readonly sampleRate?: number;
  /**
   * The context to play on; it is left open by `close()`. `pause()` suspends it, so give each player its own.
   *
   * @defaultValue a new `AudioContext` at the rate of the audio, or at the browser's rate where it refuses that one
   */
  readonly audioContext?: AudioContext;
  /** Seconds of audio that may wait before `play` stops reading (more than 0). @defaultValue 20 */
  readonly bufferSeconds?: number;
  /** Seconds of audio gathered before the first sound; adapts afterwards. @defaultValue 0.12 */
  readonly startSeconds?: number;
  /**
   * Keeps the audio of the latest utterance, so that `seek` works. Costs four bytes a sample: some 10 MB a minute at
   * 44100 Hz.
   *
   * @defaultValue false
   */
  readonly seekable?: boolean;
  /** Called with each piece of decoded audio (mono, -1 to 1), in order and before it is heard: to draw or measure it. */
  readonly onSamples?: (samples: Float32Array, sampleRate: number) => void;
  /** URL of the audio thread's module, for pages that must serve it themselves. */
  readonly workletUrl?: string | URL;
}

/** Plays one utterance after the other. */
export interface Player {
  /**
   * Plays the audio of one utterance after those before it. Resolves when all of it is read, which is before it was
   * heard. When reading fails, what came before still plays.
   *
   * @throws what reading throws, and AudioFormatError for bytes of another format.
   */
  play(speech: AsyncIterable<Uint8Array>): Promise<void>;
  /** Holds the sound. Reading continues until the buffer is full. */
  pause(): Promise<void>;
  /**
   * Continues after `pause()`, and lets sound begin where the browser waits for a click: call it in the handler of a
   * click or a touch. The first one on the page does so too.
   */
  resume(): Promise<void>;
  /**
   * Continues from another moment of the latest utterance, also after its end; a paused player stays paused. After
   * `stop()` it does nothing.
   *
   * @param seconds - As `playedMilliseconds` counts them; held within what is decoded.
   * @throws TypeError unless the player was opened with `seekable`.
   */
  seek(seconds: number): void;
  /**
   * Silences at once, forgets what waits, and stops reading.
   *
   * @returns milliseconds of the current utterance that were heard, the delay of the output subtracted; 0 before it began.
   */
  stop(): number;
  /** Resolves when the last sample of everything given to `play` was heard, or after `stop()`. A seek begins another one. */
  readonly drained: Promise<void>;
  /** Milliseconds of the current utterance that were heard. Only `seek` and the next utterance decrease it. */
  readonly playedMilliseconds: number;
  /** Seconds of the latest utterance that are decoded. */
  readonly decodedSeconds: number;
  /** Seconds that wait to be heard. */
  readonly bufferedSeconds: number;
  /** Number of times playback ran out of audio within an utterance. */
  readonly underruns: number;
  /** Milliseconds from a sample's arrival to the ear at best: the start buffer, and the output as far as it is known. */
  readonly latencyMilliseconds: number;
  /** Ends the player and releases the context that it made. */
  close(): Promise<void>;
}
