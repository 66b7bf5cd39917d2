import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { RecordingError } from '../errors.ts';
import type { Journal } from '../transcribe-recording.ts';

/** A journal that is open; close it when the transcription ends, whichever way. */
export interface OpenJournal extends Journal, AsyncDisposable {
  close(): Promise<void>;
}

/**
 * Opens a folder that keeps the answers for finished parts, never the key: one file each, which only its owner can read. Files get
 * their names when they are complete, so a killed run leaves whole ones only. The folder may be deleted at any time that no run uses it.
 *
 * @throws RecordingError of the kind `busy` while another run uses the folder.
 */
export async function openJournal(folder: string): Promise<OpenJournal> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const release = await takeLock(join(folder, 'lock'), folder);
  // Files that a killed run was writing; nobody else writes while the lock is held.
  for (const name of await readdir(folder))
    if (/^([\da-f]{64}\.[\da-f-]{36}\.partial|lock\.[\da-f-]{36})$/.test(name))
      await rm(join(folder, name), { recursive: true, force: true });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= release();
    return closed;
  };
  return {
    ...readJournal(folder),
    async write(key, part) {
      const partial = join(folder, `${key}.${randomUUID()}.partial`);
      try {
        await writeFile(partial, part, { flag: 'wx', flush: true, mode: 0o600 });
        await rename(partial, fileOf(folder, key));
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The parts in a folder that may be in use, or not be there: for a plan, which changes nothing. */
export function readJournal(folder: string): Pick<Journal, 'read'> {
  return {
    read: (key) =>
      readFile(fileOf(folder, key)).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw error;
      }),
  };
}

function fileOf(folder: string, key: string): string {
  return join(folder, `${key}.part`);
}

/**
 * The lock is a folder that holds one file, named for its owner: of two runs that take over the lock of a killed one, only one
 * can rename that file.
 *
 * @returns what gives the lock back
 */
async function takeLock(lock: string, folder: string): Promise<() => Promise<void>> {
  const owner = `${process.pid}-${await startOf(process.pid)}@${host()}`;
  if (!((await makeLock(lock, owner)) || (await takeOver(lock, owner)))) {
    throw new RecordingError(
      `Another run uses the journal ${folder}. Wait for it, or delete ${lock} if no run does.`,
      'busy',
    );
  }
  return async () => {
    await rm(join(lock, owner), { force: true });
    // Another run's, if somebody has deleted it meanwhile.
    await rmdir(lock).catch(() => {});
  };
}

/** Makes the lock with its owner in it and then gives it its name, so that a run killed between the two holds nothing. */
async function makeLock(lock: string, owner: string): Promise<boolean> {
  // One without an owner was left by a run that was killed while it gave the lock back.
  await rmdir(lock).catch(() => {});
  const made = `${lock}.${randomUUID()}`;
  await mkdir(made, { mode: 0o700 });
  try {
    await writeFile(join(made, owner), '');
    await rename(made, lock);
    return true;
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    if (takenCodes.includes(codeOf(error))) return false;
    throw error;
  }
}

/** Error codes if the name is taken (on Linux, on Windows, by a file) or if the run that took it has removed our folder. */
const takenCodes: readonly unknown[] = ['ENOTEMPTY', 'EEXIST', 'EPERM', 'ENOTDIR', 'ENOENT'];

async function takeOver(lock: string, own: string): Promise<boolean> {
  // None is there while another run gives it back.
  const [owner] = await readdir(lock).catch(() => []);
  if (owner === undefined || (await isAlive(owner))) return false;
  try {
    await rename(join(lock, owner), join(lock, own));
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function isAlive(owner: string): Promise<boolean> {
  const [, pid, start, where] = /^(\d+)-(\d*)@(.*)$/.exec(owner) ?? [];
  if (where !== host()) return true;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  const current = await startOf(Number(pid));
  return start === '' || current === '' || current === start;
}

/**
 * The time at which a process started, as Linux counts it; empty elsewhere. A container that is restarted gives its processes the
 * same numbers again, even this one's.
 */
async function startOf(pid: number): Promise<string> {
  const facts = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second fact, the name of the program in parentheses, can hold spaces and more parentheses. The 22nd is the time.
  return facts.slice(facts.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function host(): string {
  return encodeURIComponent(hostname());
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
