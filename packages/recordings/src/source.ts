import { unlessAborted } from '@speech-api/client/shared';
import { type Body, Source } from '@speech-api/streaming/pieces';

/** A recording that can be read at any place, as often as needed. */
export interface SeekableSource extends AsyncIterable<Uint8Array> {
  /** The file's name, which goes with a recording that is sent as it is. */
  readonly name?: string;
  /** Bytes of the whole recording. */
  readonly size: number;
  read(start: number, end: number): Promise<Uint8Array>;
}

/**
 * A recording: a `Blob` or `File`, its bytes, a stream, a fetched `Response`, a source that can be read at any place, or pieces
 * of bytes in order.
 */
export type RecordingSource =
  | Blob
  | Uint8Array
  | ArrayBuffer
  | Response
  | ReadableStream<Uint8Array>
  | SeekableSource
  | AsyncIterable<Uint8Array>
  | Iterable<Uint8Array>;

/** A source that can be read at any place, or from start to end. */
export type OpenedSource = SeekableSource | AsyncIterable<Uint8Array>;

/**
 * Opens a recording. A `Blob` that refers to a file is read when it is needed.
 *
 * @param signal - When it aborts, reading fails at once, even if the source stalls, and the source is closed.
 * @throws TypeError for what cannot be read, such as a path or an answer that is an error
 */
export function openSource(source: RecordingSource, signal = new AbortController().signal): OpenedSource {
  const pieces = piecesOf(source);
  const opened = { [Symbol.asyncIterator]: () => iterate(pieces, signal) };
  if (!isSeekable(pieces)) return opened;
  const read: SeekableSource['read'] = (start, end) => unlessAborted(pieces.read(start, end), signal);
  return { ...opened, size: pieces.size, read };
}

function iterate(body: Body, signal: AbortSignal): AsyncIterator<Uint8Array, undefined> {
  const source = new Source(body);
  return {
    async next() {
      const value = await unlessAborted(source.next(), signal);
      return value === undefined ? { done: true, value } : { done: false, value };
    },
    async return() {
      source.leave();
      return { done: true, value: undefined };
    },
  };
}

function piecesOf(source: RecordingSource): SeekableSource | Body {
  if (typeof source !== 'object' || source === null)
    throw new TypeError(
      `the source is ${typeof source === 'string' ? 'a string' : String(source)}; for a path, use openRecording of @speech-api/recordings/node`,
    );
  if (source instanceof Blob) {
    return {
      size: source.size,
      read: async (start, end) => new Uint8Array(await source.slice(start, end).arrayBuffer()),
      [Symbol.asyncIterator]: () => iterate(source.stream(), new AbortController().signal),
    };
  }
  if (source instanceof Uint8Array) return seekableBytes(source);
  if (source instanceof ArrayBuffer) return seekableBytes(new Uint8Array(source));
  if (source instanceof Response) {
    if (!source.ok) throw new TypeError(`the fetched recording is an error: HTTP ${source.status}`);
    return source.body ?? asyncPieces([]);
  }
  return 'getReader' in source || Symbol.asyncIterator in source ? source : asyncPieces(source);
}

async function* asyncPieces(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield* pieces;
}

/** The name and the media type of a file, or the name of a source that has one. */
export function labelOf(source: RecordingSource): { readonly name?: string; readonly type?: string } {
  if (source instanceof File) return source;
  return 'name' in source && typeof source.name === 'string' ? { name: source.name } : {};
}

/** Size of a recording in bytes, if it is known. */
export function sizeOf(source: RecordingSource): number | undefined {
  const pieces = piecesOf(source);
  return isSeekable(pieces) ? pieces.size : undefined;
}

export function seekableBytes(bytes: Uint8Array): SeekableSource {
  return {
    size: bytes.length,
    read: async (start, end) => bytes.subarray(start, end),
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  };
}

/** A stream of Node has `read` too, but cannot be read at any place. */
export function isSeekable(source: object): source is SeekableSource {
  return 'read' in source && 'size' in source;
}
