import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { RecordingError } from '../errors.ts';
import type { SeekableSource } from '../source.ts';

/** Bytes of a piece. */
const pieceBytes = 64 * 1024;

/**
 * A recording on the disk, for `transcribeRecording` and `planRecording`. It is read when it is needed, so its size does
 * not matter. A file that changes meanwhile is an error that names it: its end would be missing, or of another recording.
 *
 * @throws the errors of the file system, and `TypeError` for a folder.
 */
export async function openRecording(path: string): Promise<SeekableSource & { readonly name: string }> {
  const opened = await stat(path);
  if (!opened.isFile()) throw new TypeError(`${path} is not a file`);
  const { size, mtimeMs } = opened;
  const expectUnchanged = async (): Promise<void> => {
    const now = await stat(path);
    if (now.size === size && now.mtimeMs === mtimeMs) return;
    throw new RecordingError(
      `${path} changed while it was read. Start again when its recorder or its copy has finished`,
      'damaged',
    );
  };
  return {
    name: basename(path),
    size,
    async read(start, end) {
      const file = await open(path);
      try {
        const { buffer, bytesRead } = await file.read(new Uint8Array(end - start), 0, end - start, start);
        await expectUnchanged();
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    async *[Symbol.asyncIterator]() {
      for await (const piece of createReadStream(path, { highWaterMark: pieceBytes })) {
        yield piece;
        await expectUnchanged();
      }
    },
  };
}
