import { limits } from '@speech-api/types/constants';

/** Audio that comes in pieces: a web stream, a Node stream, a response body, a generator. */
export type AudioStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Options for reading a stream into a file. */
export interface ReadAudioOptions {
  /** The name that goes with it, such as `sample.wav`. @defaultValue `audio` */
  readonly name?: string;
  /** A longer stream is an error, and is left. Bytes. @defaultValue 67108864 (64 MiB), the largest body that our servers accept */
  readonly maximumBytes?: number;
}

/**
 * Reads a stream to its end as a file for a reference, a voice or a transcription. Requests name their length before
 * they are sent, so a stream is held in memory first; a file on disk is better opened with
 * `openAudioFile`. It runs wherever the client does.
 *
 * @throws `RangeError` beyond `maximumBytes`, `TypeError` for anything but a stream, and what the stream throws.
 *
 * @example
 * ```ts
 * import { readAudio } from '@speech-api/client';
 *
 * const stream = new Blob([Uint8Array.of(1, 2, 3)]).stream();
 * const audio = await readAudio(stream, { name: 'sample.wav' });
 * console.log(audio.name, audio.size);
 * ```
 */
export async function readAudio(stream: AudioStream, options: ReadAudioOptions = {}): Promise<File> {
  const { name = 'audio', maximumBytes = limits.requestBodyBytes } = options;
  requireStream('stream', stream);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const piece of stream as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    length += piece.length;
    if (length > maximumBytes) throw new RangeError(`the stream has more than ${maximumBytes} bytes`);
    pieces.push(piece);
  }
  return new File(pieces, name);
}

/** Refuses what `for await` would take apart otherwise, such as the bytes of an array or the letters of a path. */
export function requireStream(name: string, value: unknown): void {
  if (Symbol.asyncIterator in Object(value)) return;
  const isPath = typeof value === 'string';
  const instead = isPath
    ? '; openAudioFile(path) opens a file'
    : '; for bytes use writeFile of node:fs/promises';
  const what =
    value instanceof Promise ? 'is a promise; await it first' : `must be a stream of bytes${instead}`;
  throw new TypeError(`the ${name} ${what}`);
}
