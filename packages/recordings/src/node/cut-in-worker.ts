import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { cutRecording } from '../cut-recording.ts';
import { type CutHooks, type CutOptions, readCutOptions } from '../cutter.ts';
import { RecordingError } from '../errors.ts';
import type { RecordingPart } from '../index.ts';
import type { RecordingSource } from '../source.ts';
import { pathOf } from './open-recording.ts';
import type { FromWorker } from './worker.ts';

/**
 * `cutRecording` in a thread of its own for a recording that `openRecording` opened: a parser that runs on and on hears no
 * `signal`, and a thread can be ended from outside. Pass it as `cut`. Every other source is cut in this thread.
 */
export async function* cutInWorker(
  source: RecordingSource,
  options: CutOptions & CutHooks = {},
): AsyncGenerator<RecordingPart, void, undefined> {
  const path = typeof source === 'object' ? pathOf(source) : undefined;
  if (path === undefined) return yield* cutRecording(source, options);
  readCutOptions(options);
  const { memory, onRead, signal, maximumBytes, maximumSeconds, overlapSeconds, acceptTruncated } = options;
  const limits = { maximumBytes, maximumSeconds, overlapSeconds, acceptTruncated };
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: { path, limits, reusesMemory: memory !== undefined },
    // Packets are short-lived, and what they hold is freed with them: collected early, it stays small.
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
  });
  try {
    for await (const [message] of on(worker, 'message', { signal, close: ['exit'] })) {
      const { bytesRead, part, error } = message as FromWorker;
      if (error !== undefined)
        throw error.kind === undefined
          ? new Error(error.message)
          : new RecordingError(error.message, error.kind);
      if (bytesRead !== undefined) onRead?.(bytesRead);
      if (part === undefined) continue;
      yield part;
      const spare = memory?.();
      worker.postMessage(spare, spare ? [spare.buffer] : []);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await worker.terminate();
  }
}
