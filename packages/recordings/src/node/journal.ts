import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RecordingError } from '../errors.ts';
import type { Journal } from '../transcribe-recording.ts';

/** A journal that is open; close it when the transcription ends, whichever way. */
export interface OpenJournal extends Journal, AsyncDisposable {
  close(): Promise<void>;
}

/** A lock that was not renewed for so long was left by a run that was killed. Milliseconds. */
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
  // Files that a killed run was writing; nobody else writes while the lock is held.
  for (const name of await readdir(folder))
    if (/^[\da-f]{64}\.[\da-f-]{36}\.partial$/.test(name)) await rm(join(folder, name), { force: true });
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

/** @returns what gives the lock back */
async function takeLock(folder: string): Promise<() => Promise<void>> {
  const lockfilePath = join(folder, 'lock');
  // It listens to the signals of the process once it is loaded.
  const { lock } = await import('proper-lockfile');
  const retries = { retries: 7, minTimeout: staleAfter / 5, factor: 1 };
  try {
    const release = await lock(folder, {
      lockfilePath,
      stale: staleAfter,
      retries,
      // Files have names of their own and appear whole, so two runs harm each other in nothing but the bill.
      onCompromised: () => {},
    });
    return () => release().catch(() => {});
  } catch (error) {
    if (codeOf(error) !== 'ELOCKED') throw error;
    throw new RecordingError(
      `Another run uses the journal ${folder}. Wait for it, or delete ${lockfilePath} if no run does.`,
      'busy',
    );
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
