// A thread in which readers read, because one that spins or fills the memory must be ended from outside.
import { isDeepStrictEqual } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import { drive } from './drive.ts';
import { type Reader, readers } from './readers.ts';
import { spoiltBytes } from './values.ts';

const { seconds, seed, only } = workerData as { seconds: number; seed: number; only: string };
// A thread has no flags of its own.
setFlagsFromString('--expose-gc');
const collectOnce: () => void = runInNewContext('gc');
/** Twice: buffers that one collection frees may leave the figure of memory only in the next. */
function collectGarbage(): void {
  collectOnce();
  collectOnce();
}
const mostBytes = 256 * 2 ** 20;

/** What it came to: a value, or one of our errors. */
async function outcome(
  { read, isOurs }: Reader,
  pieces: readonly Uint8Array<ArrayBuffer>[],
): Promise<unknown> {
  try {
    return { value: await read(pieces) };
  } catch (error) {
    if (!isOurs(error)) throw error;
    return { error: (error as Error).message };
  }
}

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 });

function cut(bytes: Buffer<ArrayBuffer>, places: readonly number[]): Uint8Array<ArrayBuffer>[] {
  const ends = [
    ...places.map((place) => Math.floor(place * bytes.length)).sort((a, b) => a - b),
    bytes.length,
  ];
  return ends.map((end, index) => new Uint8Array(bytes.subarray(ends[index - 1] ?? 0, end)));
}

/** Reads bytes as a whole and in pieces. @returns why that is wrong */
async function readBoth(
  reader: Reader,
  bytes: Buffer,
  places: readonly number[],
): Promise<string | undefined> {
  try {
    const whole = await outcome(reader, [new Uint8Array(bytes)]);
    const pieces = await outcome(reader, cut(Buffer.from(bytes), places));
    if (process.memoryUsage().arrayBuffers > mostBytes) collectGarbage();
    const { arrayBuffers } = process.memoryUsage();
    if (arrayBuffers > mostBytes) return `holds ${arrayBuffers} bytes of memory`;
    if (isDeepStrictEqual(pieces, whole)) return undefined;
    return `cut at ${places}, ${JSON.stringify(pieces)} instead of ${JSON.stringify(whole)}`;
  } catch (error) {
    return error instanceof Error ? error.stack : String(error);
  }
}

const asked = Object.entries(readers).filter(([name]) => name.includes(only));
parentPort?.postMessage({ names: asked.map(([name]) => name) });
for (const [name, reader] of asked) {
  const given = fc.tuple(spoiltBytes(fc.constantFrom(...reader.seeds)), cuts);
  const failures: string[] = [];
  const cases = await drive(given, { seed, seconds }, async ([bytes, places]) => {
    if (failures.length > 0) return;
    parentPort?.postMessage({ name, given: bytes.toString('base64') });
    const failure = await readBoth(reader, bytes, places);
    if (failure !== undefined) failures.push(failure);
  });
  parentPort?.postMessage({ name, cases, failure: failures[0] });
}
process.exit();
