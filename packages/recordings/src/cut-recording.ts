import { ByteQueue, join } from './bytes.ts';
import { type CutHooks, type CutOptions, Cutter, type RecordingPart, readCutOptions } from './cutter.ts';
import { RecordingError } from './errors.ts';
import { readDemuxed } from './formats/demuxed.ts';
import type { TrackEvent } from './formats/track.ts';
import {
  containerOf,
  demuxedContainer,
  id3Bytes,
  openReader,
  searchedBytes,
  signatureBytes,
} from './open-reader.ts';
import {
  isSeekable,
  type OpenedSource,
  openSource,
  type RecordingSource,
  type SeekableSource,
} from './source.ts';

/**
 * Cuts a recording into files that the service accepts, in pauses where there are any, without decoding more than the
 * neighbourhood of each cut. Reads the pieces once and holds one part at a time.
 *
 * @throws RecordingError for what cannot be cut, and what reading the pieces throws.
 *
 * @example
 * ```ts
 * import { cutRecording } from '@speech-api/recordings';
 *
 * const second = new Uint8Array(16_044);
 * for await (const part of cutRecording([second])) console.log(part.name, part.start, part.end);
 * ```
 */
export async function* cutRecording(
  source: RecordingSource,
  options: CutOptions & CutHooks = {},
): AsyncGenerator<RecordingPart, void, undefined> {
  const checked = readCutOptions(options);
  const cutter = new Cutter(checked);
  const opened = openSource(source, options.signal);
  const start = new KeptStart(opened, checked.maximumBytes, options.onRead);
  try {
    for await (const events of readEvents(start, opened, options)) {
      for (const event of events) {
        if (event.type === 'track') start.forget();
        const part = cutter.take(event);
        if (part !== undefined) yield await part;
      }
    }
    cutter.expectSound();
  } catch (error) {
    const isUnsupported = RecordingError.isInstance(error) && error.kind === 'unsupported';
    if (!isUnsupported) throw error;
    const bytes = await start.readWhole();
    if (bytes === undefined) throw error;
    yield wholeRecording(bytes);
  } finally {
    await start.close();
  }
}

/** The recording as one part: the service accepts it as it is and determines its duration. */
function wholeRecording(bytes: Uint8Array<ArrayBuffer>): RecordingPart {
  const description = 'a container that is not read here, sent as it is';
  const place = { offset: 0, start: 0, end: undefined, overlap: 0 };
  return { index: 0, bytes, name: 'recording', mediaType: 'application/octet-stream', description, ...place };
}

/** Pieces of a recording, which are kept until it is known that they can be cut. Each loop over them goes on where the last ended. */
class KeptStart implements AsyncIterable<Uint8Array> {
  readonly #iterator: AsyncIterator<Uint8Array>;
  readonly #maximumBytes: number;
  readonly #onRead: CutHooks['onRead'];
  #kept: Uint8Array[] | undefined = [];
  #bytes = 0;

  constructor(pieces: OpenedSource, maximumBytes: number, onRead: CutHooks['onRead']) {
    this.#iterator = pieces[Symbol.asyncIterator]();
    this.#maximumBytes = maximumBytes;
    this.#onRead = onRead;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const { done, value } = await this.#iterator.next();
      if (done) return;
      this.#bytes += value.length;
      this.#onRead?.(this.#bytes);
      if (this.#bytes > this.#maximumBytes) this.forget();
      this.#kept?.push(value);
      yield value;
    }
  }

  forget(): void {
    this.#kept = undefined;
  }

  /** @returns undefined where the recording is too large, or was cut already */
  async readWhole(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    for await (const _ of this) if (this.#kept === undefined) break;
    return this.#kept === undefined ? undefined : join(this.#kept);
  }

  async close(): Promise<void> {
    this.forget();
    await this.#iterator.return?.();
  }
}

async function* readEvents(
  pieces: AsyncIterable<Uint8Array>,
  source: OpenedSource,
  { onRead }: CutHooks,
): AsyncGenerator<readonly TrackEvent[], void, undefined> {
  const queue = new ByteQueue();
  const search = findStart(queue);
  const iterator = pieces[Symbol.asyncIterator]();
  while (!search.next().done) {
    const { done, value } = await iterator.next();
    if (done) queue.isEnded = true;
    else queue.push(value);
  }
  const head = queue.peek();
  if (head.length < signatureBytes) {
    throw new RecordingError(
      `This recording of ${queue.position + head.length} bytes holds no audio. Record or copy it again.`,
      queue.position > 0 ? 'damaged' : 'not-recognised',
    );
  }
  const demuxed = demuxedContainer(head);
  if (demuxed !== undefined) {
    // Read at many places, it is as far as the last of them.
    const read = (start: number, end: number): Promise<Uint8Array> => {
      onRead?.(end);
      return (source as SeekableSource).read(start, end);
    };
    yield* readDemuxed(demuxed, isSeekable(source) ? { size: source.size, read } : streamOf(head, pieces));
    return;
  }
  const fileBytes = isSeekable(source) ? source.size - queue.position : undefined;
  const reader = openReader(head, queue.isEnded ? head.length : fileBytes, queue.position > 0);
  yield reader.push(head);
  for await (const piece of pieces) yield reader.push(piece);
  yield reader.end();
}

/** Finds the container, behind any tag, which may be larger than what should be held. */
function* findStart(queue: ByteQueue): Generator<undefined, void> {
  yield* queue.has(signatureBytes);
  for (let tag = id3Bytes(queue.peek()); tag > 0; tag = id3Bytes(queue.peek())) {
    yield* queue.skip(tag);
    yield* queue.has(signatureBytes);
  }
  if (demuxedContainer(queue.peek()) === undefined && containerOf(queue.peek()) === undefined)
    yield* queue.has(searchedBytes);
}

/** A stream of the bytes that were read already and of those that follow. */
function streamOf(head: Uint8Array, pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream({
    start: (controller) => controller.enqueue(head),
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
