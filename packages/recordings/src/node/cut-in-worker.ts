import { Worker } from 'node:worker_threads';
import type { cutRecording } from '../cut-recording.ts';
import type { CutOptions, RecordingPart } from '../cutter.ts';
import { RecordingError, type RecordingErrorKind } from '../errors.ts';
import { type CutSource, openSource } from '../source.ts';

/** Limits of the worker. */
export interface CutInWorkerOptions {
  /** Milliseconds it may take for a piece of the file before it is ended. @defaultValue 30000 */
  readonly deadline?: number;
  /** Megabytes its objects may take; bytes of audio do not count. @defaultValue 256 */
  readonly memory?: number;
}

export type ToWorker = { readonly piece?: Uint8Array | undefined };

export type FromWorker =
  | { readonly type: 'want' }
  | { readonly type: 'read'; readonly start: number; readonly end: number }
  | { readonly type: 'part'; readonly part: RecordingPart }
  | { readonly type: 'end' }
  | { readonly type: 'error'; readonly message: string; readonly kind: RecordingErrorKind | undefined };

const pieceBytes = 1024 * 1024;

/**
 * `cutRecording` in a separate thread, for untrusted files: what spins or takes too much memory is ended, and
 * nothing else notices. Pass it as `cut`.
 */
export function cutInWorker({
  deadline = 30_000,
  memory = 256,
}: CutInWorkerOptions = {}): typeof cutRecording {
  return async function* cut(whole, options: CutOptions = {}) {
    const { maximumBytes, maximumSeconds, overlapSeconds, acceptTruncated } = options;
    const opened = openSource(whole);
    const seekable = 'read' in opened ? opened : undefined;
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: { maximumBytes, maximumSeconds, overlapSeconds, acceptTruncated, size: seekable?.size },
      resourceLimits: { maxOldGenerationSizeMb: memory },
      // What a library has to say of the file is not for this process's terminal.
      stdout: true,
      stderr: true,
    });
    worker.stdout.resume();
    worker.stderr.resume();
    const source = inPieces(opened);
    try {
      for (;;) {
        const message = await nextMessage(worker, deadline);
        if (message.type === 'end') return;
        if (message.type === 'error') throw errorOf(message);
        if (message.type === 'part') {
          yield message.part;
          worker.postMessage({});
        } else if (message.type === 'read') {
          const piece = await seekable?.read(message.start, message.end);
          worker.postMessage({ piece });
        } else {
          const { value, done } = await source.next();
          worker.postMessage(done ? {} : { piece: value });
        }
      }
    } finally {
      await worker.terminate();
      await source.return();
    }
  };
}

/** No piece takes longer than another, so that the deadline means the same for each. */
async function* inPieces(pieces: Exclude<CutSource, Blob>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) {
    // Copied where it is a part of something larger, which would travel with it.
    for (let start = 0; start < piece.length; start += pieceBytes)
      yield piece.slice(start, start + pieceBytes);
  }
}

/** The next message of the worker; it works only while a caller waits here. */
function nextMessage(worker: Worker, deadline: number): Promise<FromWorker> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      settle();
      reject(
        new RecordingError(
          `Reading the recording made no progress within ${deadline} ms. The file may be built to do that; convert it: ffmpeg -i IN -vn -c:a libopus out.ogg`,
          'too-slow',
        ),
      );
    }, deadline);
    const onMessage = (message: FromWorker): void => {
      settle();
      resolve(message);
    };
    const onError = (error: Error): void => {
      settle();
      const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      reject(
        isMemory ? new RecordingError('Reading the recording takes too much memory.', 'too-slow') : error,
      );
    };
    const onExit = (): void =>
      onError(new Error('the worker that reads the recording ended without an answer'));
    const settle = (): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

function errorOf({ message, kind }: { message: string; kind: RecordingErrorKind | undefined }): Error {
  return kind === undefined ? new RangeError(message) : new RecordingError(message, kind);
}
