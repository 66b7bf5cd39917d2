import type { AudioFormat } from '@speech-api/types';

/** Turns samples into the bytes of one audio stream. */
export interface AudioEncoder {
  /** Seconds of silence that a player hears before the first sample. */
  readonly leadingSeconds: number;
  /**
   * The bytes that are complete by now; there may be none.
   *
   * @param samples at the stream's rate, mono, -1 to 1
   */
  encode(samples: Float32Array): Uint8Array;
  /** The rest of the stream. */
  finish(): Uint8Array;
  free(): void;
}

/** What decides the form of the stream (section 2.3). */
export interface AudioSettings {
  readonly format: AudioFormat;
  /** Hz. */
  readonly sampleRate: number;
  /** kbit/s. */
  readonly mp3Bitrate: number;
  /** bit/s, or -1000 for automatic. */
  readonly opusBitrate: number;
}
