import { fstatSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { SeekableSource } from '../source.ts';
import { serveCuts } from '../worker/serve-cuts.ts';
import { decodeWithFfmpeg } from './ffmpeg.ts';

// Runs in a separate thread: it reads an untrusted file, and is ended from outside when that takes too long.
const port = parentPort;
if (port === null) throw new Error('This file is started as a worker by cutInWorker.');

const pieceBytes = 64 * 1024;

/** This thread has nothing else to do, so it waits for the disk. Its end closes the file. */
function openPath(path: string): SeekableSource {
  const file = openSync(path, 'r');
  const read = (start: number, end: number): Uint8Array => {
    const piece = new Uint8Array(end - start);
    return piece.subarray(0, readSync(file, piece, 0, piece.length, start));
  };
  return {
    size: fstatSync(file).size,
    read: async (start, end) => read(start, end),
    async *[Symbol.asyncIterator]() {
      for (let position = 0; ; ) {
        const piece = read(position, position + pieceBytes);
        if (piece.length === 0) return;
        position += piece.length;
        yield piece;
      }
    },
  };
}

await serveCuts(
  {
    post: (message, transfer) => port.postMessage(message, transfer),
    listen: (onMessage) => port.on('message', onMessage),
  },
  { decode: decodeWithFfmpeg, openPath },
);
// The port would keep the thread alive.
port.close();
