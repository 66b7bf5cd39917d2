import type { Samples } from './sample-decoder.ts';

/** Decoded audio that can be played again from any moment. */
export interface KeptAudio {
  add(samples: Samples): void;
  /** Seconds kept. */
  readonly seconds: number;
  /** What follows a moment, the piece that lies across it cut at the nearest frame. */
  from(seconds: number): Samples[];
}

interface KeptPiece {
  readonly start: number;
  readonly end: number;
  readonly samples: Samples;
}

export function createKeptAudio(): KeptAudio {
  const pieces: KeptPiece[] = [];
  let total = 0;
  return {
    add(samples) {
      const start = total;
      total += (samples.channels[0]?.length ?? 0) / samples.sampleRate;
      pieces.push({ start, end: total, samples });
    },
    get seconds() {
      return total;
    },
    from(seconds) {
      return pieces
        .filter(({ end }) => end > seconds)
        .map(({ start, samples }) => (start < seconds ? cut(samples, seconds - start) : samples));
    },
  };
}

function cut({ channels, sampleRate }: Samples, seconds: number): Samples {
  const frames = Math.round(seconds * sampleRate);
  // Copies of no bytes: the queue reads them only.
  return { sampleRate, channels: channels.map((samples) => samples.subarray(frames)) };
}
