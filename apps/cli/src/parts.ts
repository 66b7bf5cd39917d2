import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createSpeechClient } from '@speech-api/client';
import { type Journal, RecordingError } from '@speech-api/recordings';
import { openJournal } from '@speech-api/recordings/node';
import { notWritten, openKept } from './output.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';

/**
 * Does work whose finished parts are kept in a folder, so that after a failure the same command sends only what is missing.
 *
 * @param isOwn - The folder is this command's own and goes when all is done.
 */
export async function keepParts<Result>(
  terminal: Terminal,
  folder: string | undefined,
  isOwn: boolean,
  work: (journal: Journal | undefined) => Promise<Result>,
): Promise<Result> {
  if (folder === undefined) return work(undefined);
  const journal = await openJournal(folder).catch((error: unknown) => {
    if (!isOwn || RecordingError.isInstance(error)) throw error;
    return undefined;
  });
  // Where nothing can be written, as in a folder of the system, a transcript can still be printed.
  if (journal === undefined) return work(undefined);
  const write: Journal['write'] = async (key, part) => {
    try {
      await journal.write(key, part);
    } catch (reason) {
      throw notWritten(folder, reason, await keepElsewhere(`${key}.part`, part));
    }
  };
  try {
    const result = await work({ read: journal.read, write });
    // Only what a journal writes: somebody's own folder may have this name.
    for (const name of isOwn ? await readdir(folder) : [])
      if (/\.(?:part|partial)$/.test(name)) await rm(join(folder, name), { force: true });
    return result;
  } catch (error) {
    const names = await readdir(folder).catch(() => []);
    // A recording that cannot be cut will not be cut the next time.
    if (names.some((name) => name.endsWith('.part')) && !RecordingError.isInstance(error))
      terminal.note(`finished parts are kept in ${folder}; the same command continues from them`);
    throw error;
  } finally {
    await journal.close();
    // The folder is removed only if it is empty.
    if (isOwn) await rmdir(folder).catch(() => {});
  }
}

/** For a plan, which needs no key. @returns undefined if no service is named, because then no parts are kept */
export function serviceOf({ settings }: Session): string | undefined {
  const baseUrl = settings.values.base_url.value;
  return baseUrl && createSpeechClient({ apiKey: null, baseUrl }).settings.baseUrl;
}

/** For a plan. */
export function describeKept(parts: number): string {
  if (parts === 0) return '';
  return `, ${parts} ${parts === 1 ? 'part' : 'parts'} kept from an earlier run`;
}

/** @returns a sentence that says where the part is */
async function keepElsewhere(name: string, part: Uint8Array): Promise<string> {
  try {
    const { path, file } = await openKept(name);
    await file.writeFile(part).finally(() => file.close());
    return `What was billed is in ${path}; put it into that folder to continue.`;
  } catch {
    return 'A part that was billed could not be kept anywhere else either.';
  }
}
