import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Transcription } from '@speech-api/types';
import { RecordingError } from '../errors.ts';
import type { Journal } from '../transcribe-recording.ts';

/** A journal that is open; close it when the transcription ends, whichever way. */
export interface OpenJournal extends Journal, AsyncDisposable {
  close(): Promise<void>;
}

/** A journal of nothing but text: what was answered, never the key and never audio. */
const version = 1;

/**
 * Opens a folder that keeps the answers of finished parts, one file each. Files are written beside and renamed, so a
 * killed run leaves whole ones only. The folder may be deleted at any time that no run uses it.
 *
 * @throws RecordingError of the kind `busy` while another run uses the folder.
 */
export async function openJournal(folder: string): Promise<OpenJournal> {
  await mkdir(folder, { recursive: true });
  const lock = join(folder, 'lock');
  await takeLock(lock, folder);
  const fileOf = (key: string): string => join(folder, `${key}.json`);
  const close = (): Promise<void> => rm(lock, { force: true });
  return {
    async read(key) {
      const text = await readFile(fileOf(key), 'utf8').catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw error;
      });
      return text === undefined ? undefined : readEntry(text);
    },
    async write(key, transcription) {
      const partial = join(folder, `${key}.${randomUUID()}.partial`);
      const file = await open(partial, 'wx');
      try {
        await file.writeFile(JSON.stringify({ version, transcription }));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(partial, fileOf(key));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
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

/** @returns undefined for what cannot be used: the part is then sent again */
function readEntry(text: string): Transcription | undefined {
  try {
    const entry = JSON.parse(text) as { version?: unknown; transcription?: Partial<Transcription> };
    const { transcription } = entry;
    if (entry.version !== version || !Array.isArray(transcription?.segments)) return undefined;
    return typeof transcription.text === 'string' ? (transcription as Transcription) : undefined;
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
