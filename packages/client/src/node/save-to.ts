import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { readWavHeader, wavSizeFixes } from '@speech-api/audio';
import type { AudioFormat } from '@speech-api/types';

/** Audio that can be written to a file: a `SpeechAudio`, or any pieces with the format they are in. */
export interface SavableAudio extends AsyncIterable<Uint8Array> {
  readonly format: AudioFormat;
}

// A wav header with everything that may stand before the samples.
const headerBytes = 64 * 1024;

/**
 * Writes audio to a file while it arrives and resolves to its size in bytes.
 *
 * The file appears under its name only when it is complete, in place of one that was there; when the audio fails, nothing
 * is left behind. A wav file gets its true sizes, which a stream cannot know.
 *
 * @throws what reading the audio throws, and the errors of the file system.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 * import { saveTo } from '@speech-api/client/node';
 *
 * const client = createSpeechClient();
 * const audio = await client.speech.create({ text: 'Good morning.', format: 'wav' });
 * console.log(await saveTo('good-morning.wav', audio));
 * ```
 */
export async function saveTo(path: string, audio: SavableAudio): Promise<number> {
  // Beside its target, for a rename is atomic only within one file system.
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    const file = await open(partial, 'wx+');
    let length = 0;
    try {
      for await (const piece of audio) {
        await file.writeFile(piece);
        length += piece.length;
      }
      if (audio.format === 'wav') await writeTrueSizes(file, length);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
    return length;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function writeTrueSizes(file: FileHandle, length: number): Promise<void> {
  const head = new Uint8Array(Math.min(length, headerBytes));
  await file.read(head, 0, head.length, 0);
  const header = readWavHeader(head);
  if (!header) return;
  for (const { position, bytes } of wavSizeFixes(header, length)) {
    await file.write(bytes, 0, bytes.length, position);
  }
}
