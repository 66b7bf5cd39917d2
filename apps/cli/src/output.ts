import { createHash, randomBytes } from 'node:crypto';
import {
  type FileHandle,
  link,
  mkdtemp,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  statfs,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { readWavHeader, wavSizeFixes } from '@speech-api/audio';
import { size } from './terminal.ts';
import { exitCodes, UsageError } from './usage.ts';

/** The output of a command: a file that appears when it is complete, or stdout. */
export interface Output {
  write(bytes: Uint8Array | string): Promise<void>;
  /** Makes the file appear under its name. @returns its bytes */
  finish(): Promise<number>;
  /** Leaves nothing behind. Harmless after `finish`. */
  discard(): Promise<void>;
  readonly bytes: number;
  /** Path of the file; undefined for stdout. */
  readonly path: string | undefined;
}

export interface OutputOptions {
  /** Replace an existing file. */
  readonly force?: boolean | undefined;
  /** Write the true sizes into a wav file whose header was written before they were known. */
  readonly isWav?: boolean;
  /** True if the output is text that may go to a terminal. */
  readonly isText?: boolean;
}

/** Opens an output that `expectWritable` has checked. */
export async function openOutput(path: string, options: OutputOptions = {}): Promise<Output> {
  if (path === '-') return standardOutput(options);
  const replaced = await stat(path).catch(() => undefined);
  const target = await targetOf(path);
  const partial = partialName(target);
  let file = await open(partial, 'wx+', 0o600);
  let bytes = 0;
  let isLeft = false;
  let saved: { readonly path: string; readonly reason: unknown } | undefined;
  /** Continues in another file, because what follows was billed. */
  const keep = async (reason: unknown): Promise<void> => {
    try {
      if (saved !== undefined) throw reason;
      const copy = await openKept(basename(target));
      if (bytes > 0)
        await copy.file.writeFile(file.createReadStream({ start: 0, end: bytes - 1, autoClose: false }));
      await file.close();
      await rm(partial, { force: true });
      file = copy.file;
      saved = { path: copy.path, reason };
    } catch {
      isLeft = true;
      throw notWritten(path, reason, `What came before that is in ${saved?.path ?? partial}.`);
    }
  };
  return {
    path,
    get bytes() {
      return bytes;
    },
    async write(piece) {
      const content = typeof piece === 'string' ? Buffer.from(piece) : piece;
      try {
        await writeAt(file, content, bytes);
      } catch (error) {
        await keep(error);
        // The other disk may have no room either.
        await writeAt(file, content, bytes).catch(keep);
      }
      bytes += content.length;
    },
    async finish() {
      if (options.isWav) await writeTrueSizes(file, bytes);
      if (saved === undefined) {
        try {
          await file.chmod(replaced ? replaced.mode & 0o777 : 0o666 & ~process.umask());
          await file.sync();
          await appear(partial, target, options.force);
        } catch (error) {
          await file.chmod(0o600);
          await keep(error);
        }
      }
      await file.sync();
      await file.close();
      if (saved !== undefined) throw notWritten(path, saved.reason, `What was billed is in ${saved.path}.`);
      return bytes;
    },
    async discard() {
      await file.close();
      if (!isLeft) await rm(partial, { force: true });
    },
  };
}

/** A file for billed audio or text that cannot be written to its target. Only its owner can read it. */
export async function openKept(name: string): Promise<{ readonly path: string; readonly file: FileHandle }> {
  const path = join(await mkdtemp(join(tmpdir(), 'speech-kept-')), name);
  return { path, file: await open(path, 'wx+', 0o600) };
}

export function notWritten(path: string, reason: unknown, where: string): Error {
  const why = reason instanceof Error ? reason.message : String(reason);
  return new Error(`${path} could not be written: ${why.replace(/\.$/, '')}. ${where}`);
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; )
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
}

/**
 * The file that a name means, through links, even if it is not there yet. `sub/../x` names a file even if there is no `sub`:
 * all names are resolved alike.
 */
export async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const link = await readlink(path).catch(() => undefined);
    // Links in a circle lead to no file.
    if (link === undefined || (error as NodeJS.ErrnoException).code === 'ELOOP') return resolve(path);
    // The system resolves `..` from the target of a linked folder.
    return targetOf(resolve(await realpath(dirname(path)), link));
  }
}

/** The name of an unfinished file: hidden, in the folder of its target, and of no other run. */
function partialName(target: string): string {
  return join(dirname(target), `${partialStart(target)}${randomBytes(6).toString('hex')}.partial`);
}

/** A long name is shortened: with more added, it could be longer than a name may be. */
function partialStart(target: string): string {
  const name = basename(target);
  const isLong = Buffer.byteLength(name) > 200;
  return `.${isLong ? createHash('sha256').update(name).digest('hex').slice(0, 16) : name}.`;
}

/** Removes partial files that killed runs left for a file that is now finished. */
export async function removeLeftovers(path: string): Promise<void> {
  const target = await targetOf(path);
  const folder = dirname(target);
  const start = partialStart(target);
  for (const name of await readdir(folder)) {
    const isLeftover = name.startsWith(start) && /^[\da-f]{12}\.partial$/.test(name.slice(start.length));
    if (isLeftover) await rm(join(folder, name), { force: true });
  }
}

/**
 * Checks before anything is sent that a file can be written. `-` is stdout.
 *
 * @param wanted.estimatedBytes - About how many bytes will be written, those of kept parts included.
 * @throws UsageError where a file is in the way, the disk is too full, or the system refuses the file
 */
export async function expectWritable(
  path: string,
  { force = false, estimatedBytes = 0 }: { readonly force?: boolean | undefined; estimatedBytes?: number },
): Promise<void> {
  if (path === '-') return;
  const target = await targetOf(path);
  const folder = dirname(target);
  const refuse = async ({ message }: Error): Promise<never> => {
    const reason = message.split(',')[0];
    // Some folders that are there take no files, such as /proc.
    const isThere = await stat(folder).catch(() => undefined);
    const advice = isThere ? 'Name another file.' : 'Make its folder, or name another file.';
    throw new UsageError(`${path} cannot be written (${reason}). ${advice}`, exitCodes.failed);
  };
  const present = await stat(path).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' || error.code === 'ENOTDIR' ? undefined : refuse(error),
  );
  if (present?.isDirectory()) throw new UsageError(`${path} is a folder; name a file.`);
  if (present?.isFile() === false)
    throw new UsageError(`${path} is a pipe or a device. Write to it with: -o - > ${path}`);
  if (present !== undefined && !force)
    throw new UsageError(`${path} already exists. Use --force to replace it, or name another file.`);
  // The permissions of a folder are not the whole truth.
  const probe = partialName(target);
  const opened = await open(probe, 'wx', 0o600).catch(refuse);
  await opened.close();
  await rm(probe);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < estimatedBytes) {
    throw new UsageError(
      `The disk of ${path} has ${size(bavail * bsize)} free, and about ${size(estimatedBytes)} are needed. Make room, or name a file on another disk.`,
      exitCodes.failed,
    );
  }
}

/** Refuses to overwrite an input, even with --force, or to write an output twice. `-` is a stream. */
export async function refuseCollisions(
  sources: readonly string[],
  outputs: readonly string[],
): Promise<void> {
  // A source that is not a file, such as a text, cannot be overwritten.
  const read = new Set(await Promise.all(sources.map((source) => realpath(source).catch(() => undefined))));
  const written = new Set<string>();
  for (const output of outputs.filter((path) => path !== '-')) {
    const target = await targetOf(output);
    if (read.has(target))
      throw new UsageError(`${output} is read by this command and would be overwritten. Name another file.`);
    if (written.has(target))
      throw new UsageError(`Two recordings would both write ${output}. Rename one of them.`);
    written.add(target);
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

/** Writes to stdout, and says where the rest is if that fails. */
function standardOutput(options: OutputOptions): Output {
  if (process.stdout.isTTY && !options.isText && !options.force) {
    throw new UsageError(
      'Audio would fill this terminal. Pipe it into a program, or write a file with -o FILE.',
    );
  }
  let bytes = 0;
  let copy: { readonly path: string; readonly file: FileHandle; readonly reason: unknown } | undefined;
  let keptFrom = 0;
  return {
    path: undefined,
    get bytes() {
      return bytes;
    },
    async write(piece) {
      const content = typeof piece === 'string' ? Buffer.from(piece) : piece;
      if (copy === undefined) {
        try {
          await writeToStdout(content);
        } catch (reason) {
          if ((reason as NodeJS.ErrnoException).code === 'EPIPE') throw reason;
          copy = { ...(await openKept('stdout')), reason };
          keptFrom = bytes;
        }
      }
      await copy?.file.writeFile(content);
      bytes += content.length;
    },
    async finish() {
      await copy?.file.close();
      if (copy === undefined) return bytes;
      const from = keptFrom === 0 ? 'was billed' : `follows the first ${keptFrom} bytes`;
      throw notWritten('stdout', copy.reason, `What ${from} is in ${copy.path}.`);
    },
    discard: async () => {},
  };
}

function writeToStdout(content: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(content, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Gives a finished file its name. Without `force` it is a link, which refuses to replace a file that came meanwhile; where a
 * disk has no links, a last look must do.
 */
async function appear(partial: string, path: string, force = false): Promise<void> {
  if (force) return rename(partial, path);
  try {
    await link(partial, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new Error('a file of this name appeared meanwhile, and was left as it is');
    await expectWritable(path, {});
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
  for (const { position, bytes } of wavSizeFixes(header, length)) await writeAt(file, bytes, position);
}
