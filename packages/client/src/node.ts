import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { type FileHandle, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute } from 'node:path';
import { readWavHeader, wavSizeFixes } from '@speech-api/audio';
import type { AudioFormat } from '@speech-api/types';
import { RequestError } from './errors.ts';
import {
  type AudioSource,
  type ReadAudioOptions,
  readAudio as readSource,
  requireStream,
} from './read-audio.ts';

/**
 * An audio file for a reference, a voice or a transcription, by its path.
 *
 * The file is read while it is sent and never held in memory as a whole; leave it unchanged until then. A call with a file
 * that has changed since it was opened fails with a `ConnectionError`.
 *
 * @throws `RequestError` for a folder, and the error of the file system when there is no such file.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 * import { openAudioFile } from '@speech-api/client/node';
 *
 * const client = createSpeechClient();
 * const references = [{ audio: await openAudioFile('sample.wav'), text: 'What is said in the sample.' }];
 * const audio = await client.speech.create({ text: 'In the same voice.', references });
 * ```
 */
export async function openAudioFile(path: string): Promise<File> {
  // Its error names the path; that of `openAsBlob` does not.
  const file = await stat(path);
  if (!file.isFile()) {
    const instead = file.isDirectory() ? '' : '; readAudio(createReadStream(path)) reads pipes and devices';
    throw new RequestError(`${path} is not a file${file.isDirectory() ? ', but a folder' : ''}${instead}`, {
      field: 'path',
    });
  }
  return new File([await openAsBlob(path)], basename(path));
}

export type { AudioSource, AudioStream, ReadAudioOptions } from './read-audio.ts';

/** Makes a file for a request, as `readAudio` of `@speech-api/client` does, also of the path of a file on disk. */
export async function readAudio(source: AudioSource | string, options: ReadAudioOptions = {}): Promise<File> {
  return readSource(typeof source === 'string' ? await openAudioFile(source) : source, options);
}

/** Audio that can be written to a file: a `SpeechAudio`, a `SpeechStream`, live speech, a body, or any pieces. */
export type SavableAudio = AsyncIterable<
  Uint8Array | { readonly type: string; readonly audio?: Uint8Array }
> & {
  readonly format?: AudioFormat;
};

// A wav header with everything that may come before the samples.
const headerBytes = 64 * 1024;

/**
 * Writes audio to a file while it arrives and resolves to its size in bytes.
 *
 * The file appears under its name only when it is complete, in place of one that was there, whose mode it keeps; when the
 * audio fails, nothing is left behind. A link is followed. A wav file gets its true sizes, which a stream cannot know; a
 * pipe or a device is written to as the audio arrives, and gets none.
 *
 * @throws `TypeError` for anything but a stream, what reading the audio throws, and the errors of the file system.
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
  if (typeof path !== 'string') throw new TypeError('path must be a text; the audio is the second argument');
  requireStream('audio', audio, 'a stream of bytes; for bytes use writeFile of node:fs/promises');
  const { file, mode, target, partial } = await openTarget(path).catch(async (error: unknown) => {
    // Audio that is not read keeps its connection open.
    await audio[Symbol.asyncIterator]().return?.();
    throw error;
  });
  try {
    let length = 0;
    try {
      for await (const item of audio) {
        const piece = item instanceof Uint8Array ? item : item.audio;
        if (piece === undefined) continue;
        await file.writeFile(piece);
        length += piece.length;
      }
      if (target === undefined) return length;
      if (mode !== undefined) await file.chmod(mode & 0o777);
      await writeTrueSizes(file, length, audio.format);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, target);
    return length;
  } catch (error) {
    if (partial !== undefined) await rm(partial, { force: true });
    throw error;
  }
}

/** Opens what is written to: a pipe or a device itself, or a new file that is to replace the target. */
async function openTarget(path: string) {
  const file = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  // A pipe or a device, such as /dev/stdout, cannot be replaced or rewound.
  if (file && !file.isFile()) return { file: await open(path, 'w') };
  const target = await (file ? realpath(path) : missingTarget(path));
  // The file is beside its target, because a rename is atomic only within one file system.
  const partial = `${target}.${randomUUID()}.partial`;
  return { file: await open(partial, 'wx+', file?.mode), mode: file?.mode, target, partial };
}

/** The missing file that a path names in the end, through links that lead to it. */
async function missingTarget(path: string): Promise<string> {
  const link = await readlink(path).catch(() => undefined);
  if (link === undefined) return path;
  // Joined as text: the system takes `..` from where a linked folder leads to.
  return missingTarget(isAbsolute(link) ? link : `${dirname(path)}/${link}`);
}

/** Corrects the sizes in the header of a wav file, which is known by its format or else by its first bytes. */
async function writeTrueSizes(file: FileHandle, length: number, format?: AudioFormat): Promise<void> {
  const head = new Uint8Array(Math.min(length, headerBytes));
  await file.read(head, 0, head.length, 0);
  const isRiff = new TextDecoder().decode(head.subarray(0, 4)) === 'RIFF';
  if ((format ?? (isRiff ? 'wav' : undefined)) !== 'wav') return;
  const header = readWavHeader(head);
  if (!header) return;
  for (const { position, bytes } of wavSizeFixes(header, length)) {
    await file.write(bytes, 0, bytes.length, position);
  }
}
