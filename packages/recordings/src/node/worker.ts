import { once } from 'node:events';
import { fstatSync, openSync, readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { cutRecording } from '../cut-recording.ts';
import type { CutOptions, RecordingPart } from '../cutter.ts';
import { RecordingError, type RecordingErrorKind } from '../errors.ts';
import type { SeekableSource } from '../source.ts';

/** Messages of this thread to `cutInWorker`, which starts it. */
export interface FromWorker {
  readonly bytesRead?: number;
  readonly part?: RecordingPart;
  readonly error?: { readonly message: string; readonly kind: RecordingErrorKind | undefined };
}

const pieceBytes = 64 * 1024;
/** Bytes that are read before this is reported. */
const progressBytes = 1024 * 1024;

const port = parentPort;
if (port === null) throw new Error('This file is started as a worker by cutInWorker.');
const { path, limits, reusesMemory } = workerData as {
  readonly path: string;
  readonly limits: CutOptions;
  readonly reusesMemory: boolean;
};
const post = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

let spare: Uint8Array<ArrayBuffer> | undefined;
let reported = 0;
const hooks = {
  onRead(bytesRead: number) {
    if (bytesRead < reported + progressBytes) return;
    reported = bytesRead;
    post({ bytesRead });
  },
  ...(reusesMemory ? { memory: () => spare } : {}),
};
try {
  for await (const part of cutRecording(openPath(path), { ...limits, ...hooks })) {
    const answer = once(port, 'message');
    post({ part }, [part.bytes.buffer]);
    // It waits until the next part is wanted, so that one is held and no more.
    [spare] = await answer;
  }
} catch (error) {
  const kind = RecordingError.isInstance(error) ? error.kind : undefined;
  post({ error: { message: error instanceof Error ? error.message : String(error), kind } });
}

/** This thread has nothing else to do, so it waits for the disk. Its end closes the file. */
function openPath(name: string): SeekableSource {
  const file = openSync(name, 'r');
  const fill = (bytes: Uint8Array, start: number): Uint8Array =>
    bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
  return {
    size: fstatSync(file).size,
    read: async (start, end) => fill(new Uint8Array(end - start), start),
    async *[Symbol.asyncIterator]() {
      // Readers copy what they hold back, so one memory serves for all pieces.
      const memory = new Uint8Array(pieceBytes);
      for (let position = 0; ; ) {
        const piece = fill(memory, position);
        if (piece.length === 0) return;
        position += piece.length;
        yield piece;
      }
    },
  };
}
