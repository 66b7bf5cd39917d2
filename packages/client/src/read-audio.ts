import { asPart, isBinary } from '@speech-api/msgpack';
import { Source } from '@speech-api/streaming/pieces';
import type { BinaryInput } from '@speech-api/types';
import { limits } from '@speech-api/types/constants';

/** Audio that comes in pieces: a web stream, a Node stream, a response body, a generator. */
export type AudioStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** What becomes a file: bytes, a Blob, an answer of `fetch`, or audio that comes in pieces. */
export type AudioSource = BinaryInput | Response | AudioStream;

/** Options for making a file of audio. */
export interface ReadAudioOptions {
  /** The name of the file, such as `sample.wav`. @defaultValue that of the source, or `audio` */
  readonly name?: string;
  /** The media type of the file, such as `audio/wav`. @defaultValue that of the source */
  readonly type?: string;
  /** A longer stream is an error, and is left. Bytes. @defaultValue 67108864 (64 MiB), the largest body that our servers accept */
  readonly maximumBytes?: number;
}

/**
 * Makes a file for a reference, a voice or a transcription: of bytes such as the `Buffer` of an upload, which have no name; of a
 * `Blob`, an answer of `fetch` or a stream. Requests name their length before they are sent, so a stream is held in memory
 * first. `readAudio` of `@speech-api/client/node` also takes the path of a file. It runs wherever the client does.
 *
 * @throws `RangeError` beyond `maximumBytes`, `TypeError` for anything else and for an answer that is an error, and what the
 * stream throws.
 *
 * @example
 * ```ts
 * import { readAudio } from '@speech-api/client';
 *
 * const stream = new Blob([Uint8Array.of(1, 2, 3)]).stream();
 * const audio = await readAudio(stream, { name: 'sample.wav', type: 'audio/wav' });
 * console.log(audio.name, audio.type, audio.size);
 * ```
 */
export async function readAudio(
  source: AudioSource,
  { name, type, maximumBytes = limits.requestBodyBytes }: ReadAudioOptions = {},
): Promise<File> {
  const parts = isBinary(source) ? [asPart(source)] : await readPieces(source, maximumBytes);
  const description = describe(source);
  return new File(parts, name ?? description.name, { type: type ?? description.type });
}

async function readPieces(
  source: Response | AudioStream,
  maximumBytes: number,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const isAnswer = source instanceof Response;
  if (isAnswer && !source.ok)
    throw new TypeError(`the answer has the status ${source.status}, so it is no audio`);
  if (!isAnswer) requireStream('source', source, 'bytes, a Blob, a Response or a stream of bytes');
  const body = new Source(isAnswer ? source.body : source);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (let piece = await body.next(); piece; piece = await body.next()) {
    length += piece.byteLength;
    // Some streams give an `ArrayBuffer` for each piece.
    if (isBinary(piece)) pieces.push(asPart(piece) as Uint8Array<ArrayBuffer>);
    if (length <= maximumBytes) continue;
    body.leave();
    if (!isBinary(piece)) throw new TypeError('a piece of the source is no bytes');
    throw new RangeError(`the source has more than ${maximumBytes} bytes`);
  }
  return pieces;
}

/** The name and the media type that a source brings along: of a file, a stream of Node over a file, or an answer. */
function describe(source: AudioSource): { readonly name: string; readonly type: string } {
  const { name, path, url, type, headers } = Object(source) as Partial<Record<string, unknown>>;
  const address = String(path ?? url ?? '').replace(/[?#].*$/, '');
  const mediaType = source instanceof Response ? (headers as Headers).get('content-type') : type;
  return { name: String(name ?? (address.split(/[\\/]/).at(-1) || 'audio')), type: String(mediaType ?? '') };
}

/** Refuses what `for await` would take apart otherwise, such as the bytes of an array or the letters of a path. */
export function requireStream(name: string, value: unknown, valid: string): void {
  if (Symbol.asyncIterator in Object(value) || 'getReader' in Object(value)) return;
  const isPath = typeof value === 'string';
  const instead = isPath ? '; openAudioFile(path) of @speech-api/client/node opens a file' : '';
  const what = value instanceof Promise ? 'is a promise; await it first' : `must be ${valid}${instead}`;
  throw new TypeError(`the ${name} ${what}`);
}
