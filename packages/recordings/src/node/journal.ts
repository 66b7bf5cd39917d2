import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { RecordingError } from '../errors.ts';
import type { Journal } from '../transcribe-recording.ts';

/** A journal that is open; close it when the transcription ends, whichever way. */
export interface OpenJournal extends Journal, AsyncDisposable {
  close(): Promise<void>;
}

/** A lock that was not touched for this long belongs to a killed run. Milliseconds. */
const staleAfter = 5000;

/**
 * Opens a folder that keeps the answers for finished parts, never the key: one file each, which only its owner can read. Files get
 * their names when they are complete, so a killed run leaves whole ones only. The folder may be deleted at any time that no run uses it.
 *
 * @throws RecordingError of the kind `busy` while another run uses the folder. A run that was killed holds it for 5 s, which
 * this call waits for.
 */
export async function openJournal(folder: string): Promise<OpenJournal> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const release = await takeLock(folder);
  // Removes partial files of a killed run; nobody else writes while the lock is held.
  for (const name of await readdir(folder))
    if (/^[\da-f]{64}\.[\da-f-]{36}\.partial$/.test(name)) await rm(join(folder, name), { force: true });
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
    close: release,
    [Symbol.asyncDispose]: release,
  };
}

/** The parts in a folder that may be in use or missing. A plan uses this, because it changes nothing. */
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
 * The lock is a folder with one file, named for its owner, which touches it again and again. Of several runs that find the file of
 * a killed one, only one can rename it.
 *
 * @returns a function that releases the lock
 */
async function takeLock(folder: string): Promise<() => Promise<void>> {
  const lock = join(folder, 'lock');
  const ownFile = join(lock, randomUUID());
  for (const start = Date.now(); !(await tryLock(lock, ownFile)); await setTimeout(staleAfter / 20)) {
    if (Date.now() - start < 1.5 * staleAfter) continue;
    throw new RecordingError(
      `Another run uses the journal ${folder}. Wait for it, or delete ${lock} if no run does.`,
      'busy',
    );
  }
  const timer = setInterval(() => touch(ownFile).catch(() => {}), staleAfter / 5);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await rm(ownFile, { force: true });
    await rmdir(lock).catch(() => {});
  };
}

async function tryLock(lock: string, ownFile: string): Promise<boolean> {
  try {
    await mkdir(lock, { mode: 0o700 });
    await writeFile(ownFile, '');
    return true;
  } catch (error) {
    if (!['EEXIST', 'ENOENT'].includes(String(codeOf(error)))) throw error;
  }
  try {
    const [name] = await readdir(lock);
    const owner = join(lock, name ?? '');
    if (Date.now() - (await stat(owner)).mtimeMs < staleAfter) return false;
    // A run that was killed between creating its folder and its file left the folder empty.
    if (name === undefined) await rmdir(lock);
    else {
      // The file is touched before it is renamed, so it never looks stale under its new name.
      await touch(owner);
      await rename(owner, ownFile);
      return true;
    }
  } catch (error) {
    // Another run was faster.
    if (!['ENOENT', 'ENOTEMPTY'].includes(String(codeOf(error)))) throw error;
  }
  return false;
}

const touch = (path: string): Promise<void> => utimes(path, new Date(), new Date());

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
