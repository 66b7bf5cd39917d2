/** The file is not audio, is damaged, or makes its decoder hang. The message says which. */
export class UnreadableAudioError extends Error {
  override readonly name = 'UnreadableAudioError';
}

/** A stretch of decoded sound. */
export interface SoundBlock {
  /** All channels mixed into one, -1 to 1. */
  readonly samples: Float32Array;
  /** Hz. */
  readonly sampleRate: number;
  /** Channels of the file. */
  readonly channels: number;
}
