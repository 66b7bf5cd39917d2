import { unenforcedLimits } from '@speech-api/types';

const blockLength = 220;
/** A block below this power is a pause and does not count towards loudness. */
const silence = 10 ** (-45 / 10);
/** Average power of the engine's voices in their voiced parts. */
const usualPower = 10 ** (-20.5 / 10);
const wantedPower = 10 ** (-21 / 10);
/** Share of a new block in the estimate: about one second of speech. */
const memory = 0.01;
const mostGain = 10 ** (8 / 20);

/** Makes samples louder or softer, one by one and in place. */
export interface Leveller {
  /** @param samples 22 050 Hz, -1 to 1 */
  apply(samples: Float32Array): void;
}

/** Brings voices to one loudness: follows the level of the speech slowly, and leaves the pauses alone. */
export function createLeveller(): Leveller {
  let power = usualPower;
  let gain = Math.sqrt(wantedPower / usualPower);
  let blockPower = 0;
  let blockFill = 0;
  let step = 0;
  return {
    apply(samples) {
      for (let index = 0; index < samples.length; index += 1) {
        const sample = samples[index] ?? 0;
        blockPower += sample * sample;
        blockFill += 1;
        if (blockFill === blockLength) {
          const mean = blockPower / blockLength;
          if (mean > silence) power += memory * (mean - power);
          const wanted = Math.min(Math.sqrt(wantedPower / power), mostGain);
          step = (wanted - gain) / blockLength;
          blockPower = 0;
          blockFill = 0;
        }
        gain += step;
        samples[index] = sample * gain;
      }
    },
  };
}

/** Leaves the differences between voices as they are, a little below full scale. */
export function createFixedGain(): Leveller {
  const gain = 10 ** (-2.5 / 20);
  return {
    apply(samples) {
      for (let index = 0; index < samples.length; index += 1) samples[index] = (samples[index] ?? 0) * gain;
    },
  };
}

const range = unenforcedLimits.prosodyVolumeDecibels;
/** Peaks end here: the way to another sample rate may add a little to them. */
const ceiling = 0.9;
/** Decay of a peak per sample at 22 050 Hz: a release time of a tenth of a second. */
const release = Math.exp(-1 / 2205);

/**
 * A volume with a limiter: where a peak would go beyond the ceiling, the gain is lowered for a moment, so that loud speech is
 * denser instead of clipped.
 *
 * @param decibels clamped to -20..20
 */
export function createVolume(decibels: number): Leveller {
  const gain = 10 ** (Math.min(range.maximum, Math.max(range.minimum, decibels)) / 20);
  let peak = 0;
  return {
    apply(samples) {
      for (let index = 0; index < samples.length; index += 1) {
        const sample = (samples[index] ?? 0) * gain;
        peak = Math.max(Math.abs(sample), peak * release);
        samples[index] = peak > ceiling ? (sample * ceiling) / peak : sample;
      }
    },
  };
}
