import type { Recording } from './lower-rate.ts';
import { samplesOf } from './speak.ts';

/** PCM as it is measured. */
export function recordingOf(pcm: Uint8Array, sampleRate: number): Recording {
  return { samples: Float32Array.from(samplesOf(pcm), (sample) => sample / 32768), sampleRate };
}
