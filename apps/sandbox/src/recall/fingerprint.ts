import FFT from 'fft.js';

/** Sample rate of fingerprinted audio, in Hz. */
export const fingerprintRate = 8000;
/** Samples from one frame to the next: 16 ms. */
const hop = 128;
/** Seconds from one frame to the next. */
export const frameSeconds = hop / fingerprintRate;
/** Samples a frame looks at: 256 ms, so that a recording cut between two frames still gives nearly the same bits. */
const span = 2048;
/** 33 bands give 32 differences, one a bit. */
const bandCount = 33;
const lowest = 300;
const highest = 2000;
/** A frame this quiet (about -70 dBFS in the band) is silence, whatever signs its spectrum has. */
const silence = 1e-7;
/** No frame of samples below this can be louder than silence. */
const quietestSample = 1e-4;
/** Stands for a silent frame: it is never looked up and never compared. */
export const silentFrame = 0;

const window = Float64Array.from(
  { length: span },
  (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / span),
);
/** First bin of every band, and the end of the last: equal steps on a logarithmic scale. */
const edges = Array.from({ length: bandCount + 1 }, (_, index) =>
  Math.round((lowest * (highest / lowest) ** (index / bandCount) * span) / fingerprintRate),
);

/**
 * Makes the spectral-sign fingerprint of a recording while it comes: 32 bits every 16 ms, each of them whether the
 * step between two neighbouring bands grew or shrank since the frame before. Loudness, equaliser and most of what a
 * codec does leave these signs alone. Frame `n` is about the time `n * 16 ms`.
 */
export class Fingerprinter {
  readonly #transform = new FFT(span);
  readonly #windowed = new Float64Array(span);
  /** Real and imaginary parts in turn. */
  readonly #spectrum = new Float64Array(2 * span);
  readonly #frames: number[] = [];
  /** Window of the next frame; starts with half a frame of silence. */
  readonly #samples = new Float64Array(span);
  #filled = span / 2;
  /** How many of the latest samples, without a gap, are silent. */
  #silentSamples = span / 2;
  #sampleCount = 0;
  #before = new Float64Array(bandCount);

  /** @param samples mono, at {@link fingerprintRate}, -1 to 1 */
  push(samples: Float32Array): void {
    this.#sampleCount += samples.length;
    this.#take(samples);
  }

  /** The whole fingerprint, one number a frame. */
  end(): Uint32Array {
    const count = Math.ceil(this.#sampleCount / hop) + 1;
    this.#take(new Float32Array(span + hop));
    return Uint32Array.from(this.#frames.slice(0, count));
  }

  /** Fills the window; whenever it is full, makes its frame and moves on by a hop. */
  #take(samples: Float32Array): void {
    let offset = 0;
    while (offset < samples.length) {
      const part = samples.subarray(offset, offset + span - this.#filled);
      offset += part.length;
      this.#samples.set(part, this.#filled);
      this.#filled += part.length;
      for (const sample of part) {
        this.#silentSamples = Math.abs(sample) < quietestSample ? this.#silentSamples + 1 : 0;
      }
      if (this.#filled < span) break;
      this.#frames.push(this.#frame());
      this.#samples.copyWithin(0, hop);
      this.#filled -= hop;
    }
  }

  #frame(): number {
    // Digital silence is not transformed; some recordings have long stretches of it.
    if (this.#silentSamples >= span) {
      this.#before.fill(0);
      return silentFrame;
    }
    for (let index = 0; index < span; index += 1) {
      this.#windowed[index] = (this.#samples[index] ?? 0) * (window[index] ?? 0);
    }
    this.#transform.realTransform(this.#spectrum, this.#windowed);
    const bands = new Float64Array(bandCount);
    let total = 0;
    for (let band = 0; band < bandCount; band += 1) {
      let energy = 0;
      for (let bin = edges[band] ?? 0; bin < (edges[band + 1] ?? 0); bin += 1) {
        energy += (this.#spectrum[2 * bin] ?? 0) ** 2 + (this.#spectrum[2 * bin + 1] ?? 0) ** 2;
      }
      bands[band] = energy;
      total += energy;
    }
    let bits = 0;
    for (let band = 0; band < bandCount - 1; band += 1) {
      const step = (bands[band] ?? 0) - (bands[band + 1] ?? 0);
      const stepBefore = (this.#before[band] ?? 0) - (this.#before[band + 1] ?? 0);
      if (step > stepBefore) bits |= 1 << band;
    }
    this.#before = bands;
    // Power of a full-scale sine is (span / 4)^2.
    return total / (span / 4) ** 2 < silence ? silentFrame : bits >>> 0;
  }
}

export function fingerprintOf(samples: Float32Array): Uint32Array {
  const fingerprinter = new Fingerprinter();
  fingerprinter.push(samples);
  return fingerprinter.end();
}
