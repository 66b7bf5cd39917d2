import { parentPort } from 'node:worker_threads';
import { createResampler } from '../speech/output/resampler.ts';
import { Fingerprinter, fingerprintRate } from './fingerprint.ts';
import type { FingerprintReply, FingerprintRequest } from './spoken-thread-protocol.ts';

// The program of the thread that fingerprints what the sandbox says: neither the thread that answers requests nor those
// that encode wait for it.

if (parentPort === null) throw new Error('This module is the program of a worker thread.');
const port = parentPort;
let last: Promise<void> = Promise.resolve();

port.on('message', (request: FingerprintRequest) => {
  last = last.then(async () => {
    const frames = await fingerprint(request).catch(() => new Uint32Array(0));
    port.postMessage({ number: request.number, frames } satisfies FingerprintReply, [frames.buffer]);
  });
});

async function fingerprint({ samples, sampleRate }: FingerprintRequest): Promise<Uint32Array<ArrayBuffer>> {
  const floats = Float32Array.from(samples, (sample) => sample / 32768);
  const fingerprinter = new Fingerprinter();
  const resampler = await createResampler(sampleRate, fingerprintRate);
  fingerprinter.push(resampler.write(floats));
  fingerprinter.push(resampler.end());
  resampler.free();
  return new Uint32Array(fingerprinter.end());
}
