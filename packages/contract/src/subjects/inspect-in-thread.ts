import { Worker } from 'node:worker_threads';
import type { AudioFacts, ExpectedAudio } from '../audio/audio-facts.ts';
import type { InspectionReply, InspectionRequest } from './inspecting-thread.ts';

/** The result of decoding: facts, or why there are none. */
export type Inspected = { readonly facts: AudioFacts } | { readonly failure: string };

/** Decodes in a separate thread, which is ended when it takes too long. */
export async function inspectInThread(
  bytes: Uint8Array,
  expected: ExpectedAudio,
  deadlineMs: number,
): Promise<Inspected> {
  const reply = await ask({ bytes, expected }, deadlineMs);
  return 'value' in reply ? { facts: reply.value as AudioFacts } : reply;
}

/** Seconds that the audio of a request lasts; `undefined` if they cannot be determined. */
export async function lengthInThread(bytes: Uint8Array, deadlineMs: number): Promise<number | undefined> {
  const reply = await ask({ bytes, expected: 'length' }, deadlineMs);
  return 'value' in reply && typeof reply.value === 'number' ? reply.value : undefined;
}

/** JavaScript's own memory; audio of an hour fits. */
const resourceLimits = { maxOldGenerationSizeMb: 512 };

/** Threads that have answered and wait for more: starting one costs more than most decoding. */
const idle: Worker[] = [];

function ask(request: InspectionRequest, deadlineMs: number): Promise<InspectionReply> {
  return new Promise((done) => {
    const worker = idle.pop() ?? start();
    const leave = (): void => {
      clearTimeout(deadline);
      worker.off('message', onReply).off('error', onError).off('exit', onExit);
      worker.unref();
    };
    const onReply = (reply: InspectionReply): void => {
      leave();
      // The state of a decoder after a failure is unknown.
      if ('failure' in reply) void worker.terminate();
      else idle.push(worker);
      done(reply);
    };
    const giveUp = (failure: string): void => {
      leave();
      // A crash may follow; it has been answered.
      worker.on('error', () => {});
      void worker.terminate();
      done({ failure });
    };
    const onError = (error: Error): void => giveUp(`the decoder failed: ${error.message}`);
    const onExit = (): void => giveUp('the decoder ended without a word');
    const deadline = setTimeout(() => giveUp(`decoding takes more than ${deadlineMs} ms`), deadlineMs);
    worker.ref();
    worker.on('message', onReply).on('error', onError).on('exit', onExit);
    worker.postMessage(request);
  });
}

function start(): Worker {
  // Run from source in tests, and from the build otherwise.
  const program = import.meta.url.endsWith('.ts') ? './inspecting-thread.ts' : './inspecting-thread.js';
  const options = { execArgv: [], resourceLimits, stdout: true, stderr: true };
  // Nobody needs the output of decoders about a stranger's file. It is not even read: reading it would keep
  // an idle thread, and with it the process, alive.
  return new Worker(new URL(program, import.meta.url), options);
}
