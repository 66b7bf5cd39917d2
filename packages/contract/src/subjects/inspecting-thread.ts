import { parentPort } from 'node:worker_threads';
import type { ExpectedAudio } from '../audio/audio-facts.ts';
import { inspect } from '../audio/inspect.ts';
import { lengthOf } from './judged-audio.ts';

/** What the thread is asked, one thing at a time: what bytes are, or how long they last. */
export interface InspectionRequest {
  readonly bytes: Uint8Array;
  readonly expected: ExpectedAudio | 'length';
}

/** What it answers. */
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
