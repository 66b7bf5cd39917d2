/** A recording that can be read at any place, as often as needed. */
export interface SeekableSource extends AsyncIterable<Uint8Array> {
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

/** A source as it is read: at any place, or from its start to its end. */
export type OpenedSource = SeekableSource | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Opens a recording. A `Blob` that refers to a file is read when it is needed.
 *
 * @throws TypeError for what cannot be read, such as a path or an answer that is an error
 */
export function openSource(source: RecordingSource): OpenedSource {
  expectSource(source);
  if (source instanceof Blob) {
    return {
      size: source.size,
      read: async (start, end) => new Uint8Array(await source.slice(start, end).arrayBuffer()),
      [Symbol.asyncIterator]: () => readStream(source.stream()),
    };
  }
  if (source instanceof Uint8Array) return seekableBytes(source);
  if (source instanceof ArrayBuffer) return seekableBytes(new Uint8Array(source));
  if (source instanceof Response) {
    if (!source.ok) throw new TypeError(`the fetched recording is an error: HTTP ${source.status}`);
    return source.body === null ? [] : readStream(source.body);
  }
  return 'getReader' in source ? readStream(source) : source;
}

/** Bytes of a recording, where that is known. */
export function sizeOf(source: RecordingSource): number | undefined {
  expectSource(source);
  if (source instanceof Blob) return source.size;
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) return source.byteLength;
  const length = source instanceof Response ? source.headers.get('content-length') : null;
  if (length !== null) return Number(length);
  return isSeekable(source) ? source.size : undefined;
}

/** @throws TypeError for what cannot be read, such as a path. */
export function expectSource(source: unknown): void {
  if (typeof source === 'object' && source !== null) return;
  throw new TypeError(
    `the source is ${typeof source === 'string' ? 'a string' : String(source)}; for a path, use openRecording of @speech-api/recordings/node`,
  );
}

function seekableBytes(bytes: Uint8Array): SeekableSource {
  return {
    size: bytes.length,
    read: async (start, end) => bytes.subarray(start, end),
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  };
}

/** A stream of Node can be read, too, but not at any place. */
export function isSeekable(source: object): source is SeekableSource {
  return 'read' in source && 'size' in source;
}

/** Not every browser can iterate a stream. */
export async function* readStream(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
