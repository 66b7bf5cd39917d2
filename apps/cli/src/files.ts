import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { openAudioFile } from '@speech-api/client/node';
import { UsageError } from './usage.ts';

/** All of stdin. */
export function readStandardInput(maximumBytes: number): Promise<Buffer<ArrayBuffer>> {
  return readPieces(process.stdin, 'stdin', maximumBytes);
}

async function readPieces(
  source: AsyncIterable<Buffer | string>,
  name: string,
  maximumBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of source) {
    const bytes = Buffer.from(piece);
    pieces.push(bytes);
    length += bytes.length;
    if (length > maximumBytes)
      throw new UsageError(`${name} is larger than the limit of ${maximumBytes} bytes.`);
  }
  return Buffer.concat(pieces);
}

/** A text file, or a pipe that has a name, such as `<(echo Hi)` or `/dev/stdin`. */
export async function readTextFile(path: string, maximumBytes: number): Promise<string> {
  await expectFile(path);
  return decodeText(await readPieces(createReadStream(path), path, maximumBytes), path);
}

/** @throws UsageError for bytes that are not UTF-8 */
export function decodeText(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${source} is not text in UTF-8. Save it as plain text in this encoding.`);
  }
}

/** The file or folder at a path; undefined if there is none. */
export async function look(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

/** @returns what is there: a file, or a pipe that has a name. @throws UsageError where there is nothing, or a folder */
export async function expectFile(path: string): Promise<Stats> {
  const file = await look(path);
  if (file === undefined) throw new UsageError(`There is no file ${path}.`);
  if (file.isDirectory()) throw new UsageError(`${path} is not a file, but a folder.`);
  return file;
}

/** Requests larger than this are refused. */
const maximumSampleBytes = 64 * 1024 * 1024;
const maximumSampleTextBytes = 100_000;

/** Recordings of a voice, with the words in `NAME.txt` next to each. */
export async function readSamples(paths: readonly string[]) {
  return Promise.all(
    paths.map(async (path) => {
      const isFile = (await expectFile(path)).isFile();
      const { dir, name, base } = parse(path);
      const beside = join(dir, `${name}.txt`);
      const hasText = (await look(beside)) !== undefined;
      const text = hasText ? (await readTextFile(beside, maximumSampleTextBytes)).trim() : undefined;
      const audio = isFile
        ? await openAudioFile(path)
        : new File([await readPieces(createReadStream(path), path, maximumSampleBytes)], base);
      return { path, audio, text };
    }),
  );
}
