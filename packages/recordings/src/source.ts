/** A recording that can be read at any place, as often as needed. */
export interface SeekableSource extends AsyncIterable<Uint8Array> {
  /** Bytes of the whole recording. */
  readonly size: number;
  read(start: number, end: number): Promise<Uint8Array>;
}

/** What can be cut: a `Blob` or `File`, a source that can be read at any place, or pieces of bytes in order. */
export type CutSource = Blob | SeekableSource | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A `Blob` that refers to a file is read when it is needed. */
export function openSource(source: CutSource): Exclude<CutSource, Blob> {
  expectSource(source);
  if (!(source instanceof Blob)) return source;
  return {
    size: source.size,
    read: async (start, end) => new Uint8Array(await source.slice(start, end).arrayBuffer()),
    [Symbol.asyncIterator]: () => readStream(source.stream()),
  };
}

/** @throws TypeError for what cannot be read, such as a path. */
export function expectSource(source: unknown): void {
  if (typeof source === 'object' && source !== null) return;
  throw new TypeError(
    `the source is ${typeof source === 'string' ? 'a string' : String(source)}; for a path, use openRecording of @speech-api/recordings/node`,
  );
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
