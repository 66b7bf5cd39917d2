/** The loudness is measured once per step of this length. */
const stepSeconds = 0.01;
/** A pause between words may be shorter; one that a sentence ends with is not. */
const shortestPauseSeconds = 0.25;
/** Speech must be louder than the noise by at least this much. Decibels. */
const smallestContrast = 9;
/** Quieter than this is nothing. Decibels of full scale. */
const silentDecibels = -60;

/**
 * The middle of the longest pause, in seconds from the start of `samples`; of equally long ones the last. What counts
 * as quiet is judged by the loud and the quiet moments of these samples.
 *
 * @returns undefined if there is no pause, such as in music
 */
export function findPause(samples: Float32Array, sampleRate: number): number | undefined {
  const levels = loudness(samples, Math.max(1, Math.round(sampleRate * stepSeconds)));
  const sorted = levels.toSorted();
  const quiet = sorted[Math.floor(sorted.length * 0.05)] ?? 0;
  const loud = sorted[Math.floor(sorted.length * 0.9)] ?? 0;
  if (loud > silentDecibels && loud - quiet < smallestContrast) return undefined;
  const threshold = Math.max(silentDecibels, quiet + (loud - quiet) * 0.25);
  let best: { start: number; length: number } | undefined;
  let start = 0;
  for (let index = 0; index <= levels.length; index++) {
    if (index < levels.length && (levels[index] ?? 0) <= threshold) continue;
    const length = index - start;
    if (length * stepSeconds >= shortestPauseSeconds && length >= (best?.length ?? 0))
      best = { start, length };
    start = index + 1;
  }
  return best === undefined ? undefined : (best.start + best.length / 2) * stepSeconds;
}

function loudness(samples: Float32Array, step: number): Float32Array {
  const levels = new Float32Array(Math.floor(samples.length / step));
  for (let index = 0; index < levels.length; index++) {
    let energy = 0;
    for (let offset = 0; offset < step; offset++) energy += (samples[index * step + offset] ?? 0) ** 2;
    levels[index] = 10 * Math.log10(energy / step + 1e-12);
  }
  return levels;
}
