import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'speech-recordings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
const nextName = (): string => String(++count);

/** Runs ffmpeg and returns the file it wrote in the test's folder. */
export async function make(
  args: readonly string[],
  extension: string,
): Promise<{ path: string; bytes: Uint8Array<ArrayBuffer> }> {
  const path = join(folder, `${nextName()}.${extension}`);
  await run([...args, path]);
  return { path, bytes: new Uint8Array(await readFile(path)) };
}

/** Encodes each of several sounds into its own file, in one run. */
export async function makeEach(
  inputs: readonly string[],
  sounds: readonly string[],
  args: readonly string[],
  extension: string,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const outputs = sounds.map((sound) => ({ sound, path: join(folder, `${nextName()}.${extension}`) }));
  await run([
    ...inputs.flatMap((input) => ['-i', input]),
    ...outputs.flatMap(({ sound, path }) => ['-map', sound, ...args, path]),
  ]);
  return Promise.all(outputs.map(async ({ path }) => new Uint8Array(await readFile(path))));
}

/** Sound that ffmpeg decodes from a file. */
export interface Heard {
  /** One channel, 16 kHz unless another rate is named. */
  readonly sound: Float32Array;
  /** Start of the file in seconds, as the file states it; wav has no place to state it. */
  readonly start: number;
}

/** Decodes files in one run, because ffmpeg takes longer to start than to decode 20 s. */
export async function listen(files: readonly Uint8Array[], rate = 16_000): Promise<Heard[]> {
  const paths = await Promise.all(
    files.map(async (bytes) => {
      const path = join(folder, nextName());
      await writeFile(path, bytes);
      return path;
    }),
  );
  const raw = ['-f', 'f32le', '-ac', '1', '-ar', String(rate)];
  const { log } = await run([
    ...paths.flatMap((path) => ['-i', path]),
    ...paths.flatMap((path, index) => ['-map', `${index}:a:0`, ...raw, `${path}.raw`]),
  ]);
  const starts = [...log.matchAll(/ Duration: [^,\n]+, (?:start: (-?[\d.]+), )?bitrate: /g)];
  if (starts.length !== files.length) throw new Error(`ffmpeg described ${starts.length} files: ${log}`);
  return Promise.all(
    paths.map(async (path, index) => {
      const { buffer, byteOffset, length } = await readFile(`${path}.raw`);
      await Promise.all([path, `${path}.raw`].map((used) => rm(used)));
      return {
        sound: new Float32Array(buffer.slice(byteOffset, byteOffset + length - (length % 4))),
        start: Number(starts[index]?.[1] ?? 0),
      };
    }),
  );
}

/** The sound of one file. */
export async function decode(bytes: Uint8Array, rate?: number): Promise<Float32Array> {
  const [decoded] = await listen([bytes], rate);
  return decoded?.sound ?? new Float32Array();
}

/** Similarity of two sounds from -1 to 1, computed from every third sample. */
export function correlation(
  left: Float32Array,
  leftStart: number,
  right: Float32Array,
  rightStart: number,
  length: number,
): number {
  let [both, first, second] = [0, 1e-9, 1e-9];
  for (let index = 0; index < length; index += 3) {
    const leftSample = left[leftStart + index] ?? 0;
    const rightSample = right[rightStart + index] ?? 0;
    both += leftSample * rightSample;
    first += leftSample * leftSample;
    second += rightSample * rightSample;
  }
  return both / Math.sqrt(first * second);
}

async function run(args: readonly string[]): Promise<{ readonly log: string }> {
  const all = ['-hide_banner', '-v', 'level+info', '-nostdin', '-nostats', '-y', ...args];
  const { stderr: log } = await promisify(execFile)('ffmpeg', all, { maxBuffer: 2 ** 30 });
  if (/\[(?:error|fatal|panic)\]/.test(log)) throw new Error(`ffmpeg ${args.join(' ')} complains: ${log}`);
  return { log };
}
