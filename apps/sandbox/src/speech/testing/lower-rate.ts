/** Hz. What tells voices apart by ear lies below half of it; less to compare is less to wait for. */
const wantedRate = 8000;

/** Samples at a rate of their own. */
export interface Recording {
  /** Mono, -1 to 1. */
  readonly samples: Float32Array;
  /** Hz. */
  readonly sampleRate: number;
}

/** Brings a recording near 8 kHz by averaging neighbours: rough, and enough for pitch and loudness. */
export function lowerRate({ samples, sampleRate }: Recording): Recording {
  const width = Math.floor(sampleRate / wantedRate);
  if (width <= 1) return { samples, sampleRate };
  const lowered = new Float32Array(Math.floor(samples.length / width));
  for (let index = 0; index < lowered.length; index += 1) {
    let sum = 0;
    for (let place = index * width; place < (index + 1) * width; place += 1) sum += samples[place] ?? 0;
    lowered[index] = sum / width;
  }
  return { samples: lowered, sampleRate: sampleRate / width };
}
