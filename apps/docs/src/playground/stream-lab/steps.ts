import type { AudioChunkEvent, TimelineSegment } from '@speech-api/streaming';

/** The snapshot of one chunk, as it stands. */
export interface Snapshot {
  readonly chunk: number;
  /** Seconds at which the chunk begins. */
  readonly offset: number;
  /** Seconds that the chunk lasts. */
  readonly duration: number;
  readonly segments: readonly { readonly text: string; readonly start: number; readonly end: number }[];
}

/** What an event does to the snapshot of its chunk (section 3). */
export type SnapshotEffect = 'none-yet' | 'first' | 'replaced' | 'repeated' | 'unchanged-by-null';

/** One event of the stream and everything there is after it. */
export interface Step {
  readonly atMilliseconds: number;
  readonly wire: AudioChunkEvent['wire'];
  readonly audio: Uint8Array<ArrayBuffer>;
  /** Bytes of audio that there were before. */
  readonly bytesBefore: number;
  readonly effect: SnapshotEffect;
  /** The snapshot that was replaced. */
  readonly before: Snapshot | undefined;
  /** Every snapshot there is now, by `chunk_seq`. */
  readonly snapshots: readonly Snapshot[];
  /** The timeline in global time, as the client gives it. */
  readonly segments: readonly TimelineSegment[];
  /** What is not in order about it. */
  readonly remarks: readonly string[];
}

/** How the stream ended. */
export type Ending =
  | { readonly kind: 'clean'; readonly atMilliseconds: number }
  | { readonly kind: 'broken'; readonly atMilliseconds: number; readonly message: string };

/** A stream, taken apart. */
export interface Replay {
  readonly steps: readonly Step[];
  readonly ending: Ending;
}
