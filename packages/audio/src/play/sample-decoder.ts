/** Decoded audio: one array a channel, all of one length. */
export interface Samples {
  readonly channels: readonly Float32Array<ArrayBuffer>[];
  /** Hz. */
  readonly sampleRate: number;
}

/** Takes decoded audio, in order. */
export type SampleSink = (samples: Samples) => void;

/** Turns bytes of one format, cut anywhere, into samples for a sink. Calls never overlap. */
export interface SampleDecoder {
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when the sink has everything. */
  end(): Promise<void>;
  /** Releases the decoder; nothing reaches the sink afterwards. */
  close(): void;
  /** Seconds of audio that were taken in and have not reached the sink yet. */
  readonly pendingSeconds: number;
}
