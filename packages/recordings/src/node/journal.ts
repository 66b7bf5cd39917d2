import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
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
  const lock = join(folder, 'lock');
  await takeLock(lock, folder);
  // Files that a killed run was writing; nobody else writes while the lock is held.
  for (const name of await readdir(folder))
    if (/^[\da-f]{64}\.[\da-f-]{36}\.partial$/.test(name)) await rm(join(folder, name), { force: true });
  const close = (): Promise<void> => rm(lock, { force: true });
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

async function takeLock(lock: string, folder: string): Promise<void> {
  const owner = JSON.stringify({ process: process.pid, host: hostname() });
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await writeFile(lock, owner, { flag: 'wx' });
      return;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if (await isAlive(lock)) break;
    // A killed run left it.
    await rm(lock, { force: true });
  }
  throw new RecordingError(
    `Another run uses the journal ${folder}. Wait for it, or delete ${lock} if no run does.`,
    'busy',
  );
}

async function isAlive(lock: string): Promise<boolean> {
  let owner: { process?: unknown; host?: unknown };
  try {
    owner = JSON.parse(await readFile(lock, 'utf8'));
  } catch (error) {
    // Gone meanwhile; or half written, by a run that has just begun.
    return codeOf(error) !== 'ENOENT';
  }
  if (owner.host !== hostname() || typeof owner.process !== 'number') return true;
  try {
    process.kill(owner.process, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
