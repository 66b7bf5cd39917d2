import { unenforcedLimits } from '@speech-api/types';

const range = unenforcedLimits.prosodyVolumeDecibels;
const kneeStart = 0.7;

/**
 * Makes samples louder or softer in place. Beyond the knee a curve takes over that comes near full scale and
 * never reaches it, so that a raised volume is denser instead of clipped.
 *
 * @param decibels clamped to -20..20
 * @param further decibels that a tag in the text adds
 */
export function applyVolume(samples: Float32Array, decibels: number, further = 0): void {
  const gain = 10 ** ((Math.min(range.maximum, Math.max(range.minimum, decibels)) + further) / 20);
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = limit((samples[index] ?? 0) * gain);
  }
}

function limit(sample: number): number {
  const size = Math.abs(sample);
  if (size <= kneeStart) return sample;
  const room = 1 - kneeStart;
  return Math.sign(sample) * (kneeStart + room * Math.tanh((size - kneeStart) / room));
}
