import type { Alignment } from '@speech-api/types';
import { GrowingSegments } from './growing-segments.ts';

/** An alignment whose segments are parsed when somebody reads it. */
export class LazyAlignment {
  readonly #alignment: Alignment;
  readonly #eventIndex: number;
  #segments: GrowingSegments | undefined;

  /** @param alignment - Complete, or complete but for its segments. */
  constructor(alignment: Alignment, eventIndex: number, segments?: GrowingSegments) {
    this.#alignment = alignment;
    this.#eventIndex = eventIndex;
    this.#segments = segments;
  }

  /** @throws SpeechStreamError when the segments are not what they must be. */
  read(): Alignment {
    if (this.#segments !== undefined) {
      this.#alignment.segments = this.#segments.read();
      this.#segments = undefined;
    }
    return this.#alignment;
  }

  /** Keeps the text of its own segments, before theirs go on to the next snapshot. */
  detach(): void {
    if (this.#segments === undefined) return;
    this.#segments = new GrowingSegments(this.#segments.text, this.#eventIndex);
  }
}
