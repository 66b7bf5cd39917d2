import { Worker } from 'node:worker_threads';
import type { AudioFacts, ExpectedAudio } from './audio-facts.ts';

/** What became of a try to decode: facts, or why there are none. */
export type Inspected = { readonly facts: AudioFacts } | { readonly failure: string };

/** JavaScript's own memory; audio of an hour fits. */
const resourceLimits = { maxOldGenerationSizeMb: 512 };

/** Decodes in a thread of its own, which is ended when it takes too long. */
export async function inspectInThread(
  bytes: Uint8Array,
  expected: ExpectedAudio,
  deadlineMs: number,
): Promise<Inspected> {
  const result = await run(bytes, expected, deadlineMs);
  return 'value' in result ? { facts: result.value as AudioFacts } : result;
}

/** Seconds that the audio of a request lasts; `undefined` when it can't be told. */
export async function lengthInThread(bytes: Uint8Array, deadlineMs: number): Promise<number | undefined> {
  const result = await run(bytes, 'length', deadlineMs);
  return 'value' in result && typeof result.value === 'number' ? result.value : undefined;
}

function run(
  bytes: Uint8Array,
  expected: ExpectedAudio | 'length',
  deadlineMs: number,
): Promise<{ value: unknown } | { failure: string }> {
  return new Promise((done) => {
    // Run from source in tests, and from the build otherwise.
    const program = import.meta.url.endsWith('.ts') ? './inspecting-thread.ts' : './inspecting-thread.js';
    const worker = new Worker(new URL(program, import.meta.url), {
      execArgv: [],
      resourceLimits,
      workerData: { bytes, expected },
      stdout: true,
      stderr: true,
    });
    // What decoders say of a stranger's file is for nobody.
    worker.stdout.resume();
    worker.stderr.resume();
    const end = (result: { value: unknown } | { failure: string }): void => {
      clearTimeout(deadline);
      done(result);
      void worker.terminate();
    };
    const deadline = setTimeout(
      () => end({ failure: `decoding takes more than ${deadlineMs} ms` }),
      deadlineMs,
    );
    worker.once('message', (value: unknown) => end({ value }));
    worker.once('error', (error: Error) => end({ failure: `the decoder failed: ${error.message}` }));
    worker.once('exit', () => end({ failure: 'the decoder ended without a word' }));
  });
}
