import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { openAudioFile } from '@speech-api/client/node';
import { UsageError } from './usage.ts';

/** All of stdin. */
export async function readStandardInput(maximumBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of process.stdin) {
    const bytes = Buffer.from(piece);
    pieces.push(bytes);
    length += bytes.length;
    if (length > maximumBytes)
      throw new UsageError(`stdin is larger than ${maximumBytes} bytes; pass a file instead.`);
  }
  return Buffer.concat(pieces);
}

export async function readTextFile(path: string, maximumBytes: number): Promise<string> {
  return decodeText(await readFile(await expectFile(path, maximumBytes)), path);
}

/** @throws UsageError for bytes that are not UTF-8 */
export function decodeText(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${source} is not text in UTF-8. Save it as plain text in this encoding.`);
  }
}

/** What is at a path; undefined where there is nothing. */
export async function look(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

/** @returns the path. @throws UsageError where there is no such file, or it is too large */
export async function expectFile(path: string, maximumBytes = Number.POSITIVE_INFINITY): Promise<string> {
  const found = await look(path);
  if (found === undefined) throw new UsageError(`There is no file ${path}.`);
  if (!found.isFile())
    throw new UsageError(`${path} is not a file${found.isDirectory() ? ', but a folder' : ''}.`);
  if (found.size > maximumBytes)
    throw new UsageError(`${path} is ${found.size} bytes; the limit is ${maximumBytes}.`);
  return path;
}

const maximumSampleTextBytes = 100_000;

export interface Sample {
  readonly path: string;
  readonly audio: Awaited<ReturnType<typeof openAudioFile>>;
  /** The words in `NAME.txt` next to the recording. */
  readonly text: string | undefined;
}

/** Recordings of a voice, with the words in a file of the same name. */
export async function readSamples(paths: readonly string[]): Promise<Sample[]> {
  return Promise.all(
    paths.map(async (path) => {
      const { dir, name } = parse(await expectFile(path));
      const beside = join(dir, `${name}.txt`);
      const hasText = (await look(beside)) !== undefined;
      const text = hasText ? (await readTextFile(beside, maximumSampleTextBytes)).trim() : undefined;
      return { path, audio: await openAudioFile(path), text };
    }),
  );
}
