/** What the thread is asked. */
export interface FingerprintRequest {
  readonly number: number;
  /** Mono, 16 bits. */
  readonly samples: Int16Array;
  /** Hz. */
  readonly sampleRate: number;
}

/** One a request, in their order. */
export interface FingerprintReply {
  readonly number: number;
  /** Empty when it failed. */
  readonly frames: Uint32Array;
}
