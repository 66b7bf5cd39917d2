import { parentPort, workerData } from 'node:worker_threads';
import type { ExpectedAudio } from './audio-facts.ts';
import { inspect } from './inspect.ts';
import { lengthOf } from './length-of.ts';

// The program of a thread that decodes the bytes of one stranger. Whatever they do to a decoder, the thread can be ended.

const { bytes, expected } = workerData as { bytes: Uint8Array; expected: ExpectedAudio | 'length' };
const result = expected === 'length' ? await lengthOf(bytes) : await inspect(bytes, expected);
parentPort?.postMessage(result);
