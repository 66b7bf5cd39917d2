import { parentPort, workerData } from 'node:worker_threads';
import { cutRecording } from '../cut-recording.ts';
import { RecordingError } from '../errors.ts';
import type { CutSource } from '../source.ts';
import type { FromWorker, ToWorker } from './cut-in-worker.ts';
import { decodeWithFfmpeg } from './decode-with-ffmpeg.ts';

// Runs in a separate thread: it reads an untrusted file, and is ended from outside when that takes too long.
const port = parentPort;
if (port === null) throw new Error('This file is started as a worker by cutInWorker.');

const say = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);
let answer: ((message: ToWorker) => void) | undefined;
port.on('message', (message: ToWorker) => answer?.(message));
let before: Promise<unknown> = Promise.resolve();
/** One question at a time: places of a file are asked for side by side. */
function ask(message: FromWorker, transfer?: ArrayBuffer[]): Promise<ToWorker> {
  const asked = before.then(
    () =>
      new Promise<ToWorker>((resolve) => {
        answer = resolve;
        say(message, transfer);
      }),
  );
  before = asked;
  return asked;
}

async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const { piece } = await ask({ type: 'want' });
    if (piece === undefined) return;
    yield piece;
  }
}

async function read(start: number, end: number): Promise<Uint8Array> {
  const { piece = new Uint8Array(0) } = await ask({ type: 'read', start, end });
  return piece;
}

const { size, ...options } = workerData;
const source: CutSource = size === undefined ? pieces() : { size, read, [Symbol.asyncIterator]: pieces };
try {
  for await (const part of cutRecording(source, { ...options, decode: decodeWithFfmpeg })) {
    // Waits until the part is wanted, so that one is held and no more.
    await ask({ type: 'part', part }, [part.bytes.buffer]);
  }
  say({ type: 'end' });
} catch (error) {
  const kind = RecordingError.isInstance(error) ? error.kind : undefined;
  say({ type: 'error', message: error instanceof Error ? error.message : String(error), kind });
}
// The port would keep the thread alive.
port.close();
