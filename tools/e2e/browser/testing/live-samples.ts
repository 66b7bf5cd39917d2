export function samplesOf(base64: string): Int16Array {
  return new Int16Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer);
}

export function audible(samples: Int16Array): Int16Array {
  const isSound = (sample: number) => sample !== 0;
  return samples.subarray(samples.findIndex(isSound), samples.findLastIndex(isSound) + 1);
}

/** Similarity of the loudness of two recordings, 0 to 1. A gap, a loss or another speed is far from 1. */
export function likeness(one: Recording, other: Recording): number {
  const [left, right] = [loudness(one), loudness(other)];
  let best = 0;
  // An encoder adds a few hundredths of a second before the first sound.
  for (let lag = -10; lag <= 10; lag += 1) {
    let [both, leftOnly, rightOnly] = [0, 0, 0];
    for (let index = -10; index < Math.max(left.length, right.length) + 10; index += 1) {
      const [a = 0, b = 0] = [left[index + lag], right[index]];
      both += a * b;
      leftOnly += a * a;
      rightOnly += b * b;
    }
    best = Math.max(best, both / Math.sqrt(leftOnly * rightOnly));
  }
  return best;
}

interface Recording {
  readonly samples: Int16Array;
  readonly sampleRate: number;
}

function loudness({ samples, sampleRate }: Recording): number[] {
  const size = sampleRate / 100;
  return Array.from({ length: Math.ceil(samples.length / size) }, (_, index) => {
    const part = samples.subarray(Math.round(index * size), Math.round((index + 1) * size));
    return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
  });
}
