import type { CutPayload } from './cut-payload.ts';
import { GrowingSegments } from './growing-segments.ts';
import { LazyAlignment } from './lazy-alignment.ts';

/**
 * The snapshots of a stream in the order they come. Only the latest is held as text, because a `chunk_seq` that
 * another one followed does not come back (and costs no more than its parsing when it does).
 */
export class SnapshotSequence {
  #chunkSeq: number | undefined;
  #segments: GrowingSegments | undefined;
  #latest: LazyAlignment | undefined;

  /**
   * Characters of the array of segments at `position` of `data` that the latest snapshot had too.
   *
   * @throws SpeechStreamError when that one is not what it must be.
   */
  sharedWith(data: string, position: number): number {
    return this.#segments?.sharedWith(data, position) ?? 0;
  }

  /**
   * Takes in the next payload.
   *
   * @returns its alignment, if it has one.
   * @throws SpeechStreamError when the snapshot before is not what it must be.
   */
  next({ payload, segments, shared }: CutPayload, eventIndex: number): LazyAlignment | undefined {
    if (segments === undefined || payload.alignment === null) return undefined;
    if (this.#segments !== undefined && this.#chunkSeq === payload.chunk_seq) {
      this.#latest?.detach();
      this.#segments.replace(segments, shared, eventIndex);
    } else {
      this.finish();
      this.#chunkSeq = payload.chunk_seq;
      this.#segments = new GrowingSegments(segments, eventIndex);
    }
    this.#latest = new LazyAlignment(payload.alignment, eventIndex, this.#segments);
    return this.#latest;
  }

  /**
   * Parses what nobody has read and lets go of its text.
   *
   * @throws SpeechStreamError when it is not what it must be.
   */
  finish(): void {
    this.#latest?.read();
    this.#latest = undefined;
    this.#segments = undefined;
  }
}
