import { createHash, randomBytes } from 'node:crypto';
import {
  access,
  constants,
  type FileHandle,
  link,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readWavHeader, wavSizeFixes } from '@speech-api/audio';
import type { Chapter } from '@speech-api/recordings';
import { UsageError } from './usage.ts';

/** What is known only when everything was written. */
export interface Ending {
  /** Takes the place of the first bytes. */
  readonly head?: Uint8Array | undefined;
  readonly chapters?: readonly Chapter[];
}

/** Where a command writes: to a file that appears when it is complete, or to stdout. */
export interface Output {
  write(bytes: Uint8Array | string): Promise<void>;
  /** Makes the file appear under its name. @returns its bytes */
  finish(ending?: Ending): Promise<number>;
  /** Leaves nothing behind. Harmless after `finish`. */
  discard(): Promise<void>;
  readonly bytes: number;
  /** What the file is called; undefined for stdout. */
  readonly path: string | undefined;
}

export interface OutputOptions {
  /** Take the place of a file that is there. */
  readonly force?: boolean | undefined;
  /** Write the true sizes into a wav file whose header was written before they were known. */
  readonly isWav?: boolean;
  /** Whether these bytes may go to a terminal. */
  readonly isText?: boolean;
}

/** Opens the output before anything is sent, so that a call is not paid for and then lost. */
export async function openOutput(path: string, options: OutputOptions = {}): Promise<Output> {
  if (path === '-') return standardOutput(options);
  await refuseExisting(path, options.force);
  const replaced = await stat(path).catch(() => undefined);
  // Beside its target, because a rename is atomic only within one file system.
  // `sub/../x` names a file even if there is no `sub`: both names are resolved alike.
  const target = await realpath(path).catch(() => resolve(path));
  const partial = partialName(target);
  const file = await open(partial, 'wx+');
  let bytes = 0;
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await file.close();
    isOpen = false;
  };
  return {
    path,
    get bytes() {
      return bytes;
    },
    async write(piece) {
      await file.writeFile(piece);
      bytes += lengthOf(piece);
    },
    async finish(ending) {
      if (ending?.head !== undefined) await file.write(ending.head, 0, ending.head.length, 0);
      if (options.isWav) await writeTrueSizes(file, bytes);
      if (replaced) await file.chmod(replaced.mode & 0o777);
      await file.sync();
      await close();
      await appear(partial, target, options.force);
      return bytes;
    },
    async discard() {
      await close();
      await rm(partial, { force: true });
    },
  };
}

/** The name of an unfinished file: hidden, beside its target, and of no other run. */
export function partialName(target: string, kind = ''): string {
  return join(dirname(target), `${partialStart(target)}${randomBytes(6).toString('hex')}${kind}.partial`);
}

/** A long name is shortened: with more added, it could be longer than a name may be. */
function partialStart(target: string): string {
  const name = basename(target);
  const isLong = Buffer.byteLength(name) > 200;
  return `.${isLong ? createHash('sha256').update(name).digest('hex').slice(0, 16) : name}.`;
}

/** Removes what killed runs have left of a file that is finished now. */
export async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(resolve(path));
  const start = partialStart(path);
  for (const name of await readdir(folder)) {
    const isLeftover =
      name.startsWith(start) && /^[\da-f]{12}(?:\.sound)?\.partial$/.test(name.slice(start.length));
    if (isLeftover) await rm(join(folder, name), { force: true });
  }
}

/** One name for a file, whichever way it is named. */
export async function placeOf(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

/** @throws UsageError where a file is in the way, and the system's error for a folder that is not there or read-only */
export async function refuseExisting(path: string, force = false): Promise<void> {
  // Asked before anything is sent, so that nothing is paid for and then lost.
  await access(dirname(resolve(path)), constants.W_OK);
  const present = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (present?.isDirectory()) throw new UsageError(`${path} is a folder; name a file.`);
  if (present?.isFile() === false) {
    throw new UsageError(`${path} is a pipe or a device. Write to it with: -o - > ${path}`);
  }
  if (present !== undefined && !force) {
    throw new UsageError(
      `${path} is there already. Use --force to replace it, or name another file with -o.`,
    );
  }
}

/** Writes a whole text, under the same rules. */
export async function writeText(path: string, text: string, force?: boolean): Promise<void> {
  const output = await openOutput(path, { force, isText: true });
  try {
    await output.write(text);
    await output.finish();
  } finally {
    await output.discard();
  }
}

/** Bytes of a piece that is written. */
export function lengthOf(piece: Uint8Array | string): number {
  return typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
}

/** All of stdin, as text. */
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
  const { size } = await stat(path);
  if (size > maximumBytes) throw new UsageError(`${path} is ${size} bytes; the limit is ${maximumBytes}.`);
  const text = await readFile(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(text);
  } catch {
    throw new UsageError(`${path} is not text in UTF-8. Save it as plain text in this encoding.`);
  }
}

function standardOutput(options: OutputOptions): Output {
  if (process.stdout.isTTY && !options.isText && !options.force) {
    throw new UsageError(
      'Audio would fill this terminal. Pipe it into a program, or write a file with -o FILE.',
    );
  }
  let bytes = 0;
  return {
    path: undefined,
    get bytes() {
      return bytes;
    },
    async write(piece) {
      bytes += lengthOf(piece);
      await new Promise<void>((resolve, reject) => {
        process.stdout.write(piece, (error) => (error ? reject(error) : resolve()));
      });
    },
    finish: async () => bytes,
    discard: async () => {},
  };
}

/**
 * Gives a finished file its name. Without `force` it is a link, which refuses to replace a file that came meanwhile; where a
 * disk has no links, a last look must do.
 */
export async function appear(partial: string, path: string, force = false): Promise<void> {
  if (force) return rename(partial, path);
  try {
    await link(partial, path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST')
      throw new UsageError(`${path} appeared meanwhile; it was left as it is. Use --force to replace it.`);
    await refuseExisting(path);
    await rename(partial, path);
    return;
  }
  await rm(partial);
}

async function writeTrueSizes(file: FileHandle, length: number): Promise<void> {
  const head = new Uint8Array(Math.min(length, 65_536));
  await file.read(head, 0, head.length, 0);
  const header = readWavHeader(head);
  if (header === undefined) return;
  for (const { position, bytes } of wavSizeFixes(header, length))
    await file.write(bytes, 0, bytes.length, position);
}
