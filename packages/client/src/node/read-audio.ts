import { limits } from '@speech-api/types/constants';

/** Audio that comes in pieces: a web stream, a Node stream, a response body, a generator. */
export type AudioStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** How a stream becomes a file. */
export interface ReadAudioOptions {
  /** The name that goes with it, such as `sample.wav`. @defaultValue `audio` */
  readonly name?: string;
  /** A longer stream is an error, and is left. Bytes. @defaultValue 67108864, the largest body that is taken */
  readonly maximumBytes?: number;
}

/**
 * Reads a stream to its end as a file for a reference, a voice or a transcription. Requests name their length before
 * they are sent, so a stream is held in memory first; a file on disk is better opened with `openAudioFile`.
 *
 * @throws `RangeError` beyond `maximumBytes`, and what the stream throws.
 *
 * @example
 * ```ts
 * import { readAudio } from '@speech-api/client/node';
 *
 * const stream = new Blob([Uint8Array.of(1, 2, 3)]).stream();
 * const audio = await readAudio(stream, { name: 'sample.wav' });
 * console.log(audio.name, audio.size);
 * ```
 */
export async function readAudio(stream: AudioStream, options: ReadAudioOptions = {}): Promise<File> {
  const { name = 'audio', maximumBytes = limits.requestBodyBytes } = options;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const piece of stream as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    length += piece.length;
    if (length > maximumBytes) throw new RangeError(`the stream has more than ${maximumBytes} bytes`);
    pieces.push(piece);
  }
  return new File(pieces, name);
}
