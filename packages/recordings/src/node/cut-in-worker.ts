import { Worker } from 'node:worker_threads';
import type { cutRecording } from '../cut-recording.ts';
import type { RecordingErrorKind } from '../errors.ts';
import { openSource } from '../source.ts';
import { cutThrough, type WorkerPort } from '../worker/cut-through.ts';
import { hasFfmpeg, shrinkWithFfmpeg } from './ffmpeg.ts';
import { pathOf } from './open-recording.ts';

/** Limits of the worker. */
export interface CutInWorkerOptions {
  /** Milliseconds it may take for a piece of the file before it is ended. @defaultValue 30000 */
  readonly deadline?: number;
  /** Megabytes its objects may take; bytes of audio do not count. @defaultValue 256 */
  readonly memory?: number;
}

/**
 * `cutRecording` in a separate thread, for untrusted files: what spins or takes too much memory is ended, and
 * nothing else notices. Pass it as `cut`.
 */
export function cutInWorker({
  deadline = 30_000,
  memory = 256,
}: CutInWorkerOptions = {}): typeof cutRecording {
  return cutThrough(() => startWorker(memory), {
    deadline,
    async prepare(whole, { shrink, acceptTruncated, signal }) {
      if (!shrink || !(await hasFfmpeg())) return whole;
      const path = pathOf(whole);
      const source = path === undefined ? openSource(whole, signal) : { path };
      return shrinkWithFfmpeg(source, { deadline, acceptTruncated, signal });
    },
    // A Blob of a file must not go to a worker: Node ends the whole process when it is read there.
    refer(whole) {
      const path = pathOf(whole);
      return path === undefined ? undefined : { path };
    },
  });
}

function startWorker(memory: number): WorkerPort {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    // Packets are short-lived, and what they hold is freed with them: collected early, it stays small.
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 2 },
    // Messages of a library about the file do not belong on this process's terminal.
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen(onMessage) {
      const fail = (message: string, kind?: RecordingErrorKind): void =>
        onMessage({ type: 'error', message, kind });
      worker.on('message', onMessage);
      worker.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
          fail('Reading the recording takes too much memory.', 'too-slow');
        else fail(error.message);
      });
      worker.on('exit', () => fail('the worker that reads the recording ended without an answer'));
    },
    end: () => worker.terminate(),
  };
}
