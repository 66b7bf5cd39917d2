import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';

/**
 * A recording on the disk, for `transcribeRecording` and `planRecording`. It is read when it is needed, so its size does
 * not matter.
 *
 * @throws the errors of the file system, and `TypeError` for a folder.
 */
export async function openRecording(path: string): Promise<File> {
  const file = await stat(path);
  if (!file.isFile()) throw new TypeError(`${path} is not a file`);
  const blob = await openAsBlob(path);
  // A File made from a file's Blob refers to it and copies nothing.
  return new File([blob], basename(path), { lastModified: file.mtimeMs });
}
