import { threadId } from 'node:worker_threads';
import type { Job, JobReport } from '@speech-api/server';
import { createResampler } from '../speech/output/resampler.ts';
import { Fingerprinter, fingerprintRate } from './fingerprint.ts';

// The program of the thread that fingerprints what the sandbox says: neither the thread that answers requests nor those
// that encode wait for it.

/** Samples as the engine gave them. */
export interface SpokenSamples {
  /** Mono, 16 bits. */
  readonly samples: Int16Array;
  /** Hz. */
  readonly sampleRate: number;
}

/** Fingerprints what was spoken. */
export async function doJob({ task, control }: Job<SpokenSamples>): Promise<Uint32Array> {
  control.postMessage({ type: 'started', threadId } satisfies JobReport);
  const floats = Float32Array.from(task.samples, (sample) => sample / 32768);
  const fingerprinter = new Fingerprinter();
  const resampler = await createResampler(task.sampleRate, fingerprintRate);
  fingerprinter.push(resampler.write(floats));
  fingerprinter.push(resampler.end());
  resampler.free();
  return fingerprinter.end();
}
