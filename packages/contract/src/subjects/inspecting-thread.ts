import { parentPort } from 'node:worker_threads';
import type { ExpectedAudio } from '../audio/audio-facts.ts';
import { inspect } from '../audio/inspect.ts';
import { lengthOf } from './judged-audio.ts';

/** Request to the thread, one at a time: identify bytes, or measure how long they last. */
export interface InspectionRequest {
  readonly bytes: Uint8Array;
  readonly expected: ExpectedAudio | 'length';
}

/** The thread's answer. */
export type InspectionReply = { readonly value: unknown } | { readonly failure: string };

// The program of a thread that decodes untrusted bytes. If they make a decoder hang, the thread can be ended.

parentPort?.on('message', ({ bytes, expected }: InspectionRequest) => {
  const result = expected === 'length' ? lengthOf(bytes) : inspect(bytes, expected);
  result.then(
    (value) => parentPort?.postMessage({ value } satisfies InspectionReply),
    (error: unknown) => {
      const failure = `the decoder failed: ${error instanceof Error ? error.message : String(error)}`;
      parentPort?.postMessage({ failure } satisfies InspectionReply);
    },
  );
});
