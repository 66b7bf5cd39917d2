/** Zero crossings of the filter on each side. */
const crossings = 16;
/** Share of the band that is kept; the rest is where the filter falls. */
const kept = 0.92;
/** Places between two samples that have weights of their own. */
const maximumPhases = 512;

/** Changes the rate of one channel to a lower one, block by block, without a shift in time. */
export function createResampler(from: number, to: number) {
  const step = from / to;
  const reach = Math.ceil((crossings * step) / kept);
  const phases = Math.min(maximumPhases, to / divisor(from, to));
  const weights = Array.from({ length: phases }, (_, phase) => weightsOf(phase / phases, reach, step));
  let held = new Float32Array(reach);
  /** The place of the first held sample; before the start there is silence. */
  let first = -reach;
  let count = 0;
  let received = 0;

  function take(block: Float32Array, end: number): Float32Array {
    const joined = new Float32Array(held.length + block.length);
    joined.set(held);
    joined.set(block, held.length);
    held = joined;
    const wanted = Math.max(0, Math.ceil(end / step) - count);
    const output = new Float32Array(wanted);
    for (let index = 0; index < wanted; index++, count++) {
      const place = count * step;
      const nearest = Math.round((place - Math.floor(place)) * phases);
      const middle = Math.floor(place) + (nearest === phases ? 1 : 0);
      output[index] = sumOf(held, middle - reach - first, weights[nearest % phases] as Float32Array);
    }
    const needed = Math.floor(count * step) - reach;
    if (needed > first) {
      held = held.slice(needed - first);
      first = needed;
    }
    return output;
  }

  return {
    push(block: Float32Array): Float32Array {
      received += block.length;
      return take(block, received - reach - 1);
    },
    end: (): Float32Array => take(new Float32Array(2 * reach + 2), received),
  };
}

function sumOf(samples: Float32Array, start: number, weights: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < weights.length; index++)
    sum += (samples[start + index] as number) * (weights[index] as number);
  return sum;
}

/** A windowed sinc, whose middle is `offset` samples behind the one in the middle. Together they weigh 1. */
function weightsOf(offset: number, reach: number, step: number): Float32Array {
  const weights = Float64Array.from({ length: 2 * reach + 1 }, (_, index) => {
    const distance = index - reach - offset;
    if (Math.abs(distance) >= reach) return 0;
    const angle = (Math.PI * distance * kept) / step;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / reach);
    return (angle === 0 ? 1 : Math.sin(angle) / angle) * window;
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return Float32Array.from(weights, (weight) => weight / total);
}

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other);
}
