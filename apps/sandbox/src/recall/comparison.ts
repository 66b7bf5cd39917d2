import { silentFrame } from './fingerprint.ts';

/** Bit errors between a document and a recording it is laid over, as sums, so that any stretch is quickly judged. */
export class Comparison {
  /** The document's frames that the recording covers. */
  readonly first: number;
  readonly end: number;
  readonly #errors: Uint32Array;
  readonly #voiced: Uint32Array;

  constructor(recording: Uint32Array, document: Uint32Array, offset: number) {
    this.first = Math.max(0, -offset);
    this.end = Math.min(document.length, recording.length - offset);
    this.#errors = new Uint32Array(document.length + 1);
    this.#voiced = new Uint32Array(document.length + 1);
    for (let index = this.first; index < this.end; index += 1) {
      const wanted = document[index] ?? silentFrame;
      const given = recording[index + offset] ?? silentFrame;
      const compared = wanted !== silentFrame;
      // Silence in the place of a sound says nothing about its bits: half of them are wrong.
      const errors = given === silentFrame ? 16 : ones(wanted ^ given);
      this.#errors[index + 1] = (this.#errors[index] ?? 0) + (compared ? errors : 0);
      this.#voiced[index + 1] = (this.#voiced[index] ?? 0) + (compared ? 1 : 0);
    }
  }

  /** Frames of the document between two places that are no silence. */
  voiced(start: number, end: number): number {
    return (this.#voiced[end] ?? 0) - (this.#voiced[start] ?? 0);
  }

  /** 0 to 1; 1 where there is nothing to compare. */
  errorRate(start: number, end: number): number {
    const voiced = this.voiced(start, end);
    return voiced === 0 ? 1 : ((this.#errors[end] ?? 0) - (this.#errors[start] ?? 0)) / (32 * voiced);
  }
}

function ones(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24) & 0x3f;
}
