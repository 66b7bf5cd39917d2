import { ByteQueue, join } from './bytes.ts';
import { type CutHooks, type CutOptions, Cutter, type RecordingPart, readCutOptions } from './cutter.ts';
import { RecordingError } from './errors.ts';
import { readContainer } from './formats/container.ts';
import type { TrackEvent } from './formats/track.ts';
import {
  containerOf,
  demuxedContainers,
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
  seekableBytes,
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
  const pieces = new HeldPieces(opened, options.onRead);
  try {
    for await (const events of readEvents(pieces, options)) {
      for (const event of events) {
        const part = cutter.take(event);
        if (part === undefined) continue;
        pieces.forget();
        yield await part;
      }
    }
    cutter.expectSound();
  } catch (error) {
    const isUnsupported = RecordingError.isInstance(error) && error.kind === 'unsupported';
    const whole = isUnsupported ? await pieces.whole() : undefined;
    if (whole === undefined || whole.size > checked.maximumBytes) throw error;
    yield wholeRecording(join([await whole.read(0, whole.size)]));
  } finally {
    await pieces.close();
  }
}

/** The recording as one part: the service accepts it as it is and determines its duration. */
function wholeRecording(bytes: Uint8Array<ArrayBuffer>): RecordingPart {
  const description = 'a container that is not read here, sent as it is';
  const place = { offset: 0, start: 0, end: undefined, overlap: 0 };
  return { index: 0, bytes, name: 'recording', mediaType: 'application/octet-stream', description, ...place };
}

/** Maximum bytes of a stream that are held, because some containers are read at many places. */
const maximumHeldBytes = 32 * 1024 * 1024;

/** Pieces of a recording, which can be read as a whole until a part is cut. Each loop continues where the last one ended. */
class HeldPieces implements AsyncIterable<Uint8Array> {
  readonly source: OpenedSource;
  readonly #iterator: AsyncIterator<Uint8Array>;
  readonly #onRead: CutHooks['onRead'];
  #held: Uint8Array[] | undefined = [];
  #bytes = 0;

  constructor(source: OpenedSource, onRead: CutHooks['onRead']) {
    this.source = source;
    this.#iterator = source[Symbol.asyncIterator]();
    this.#onRead = onRead;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const { done, value } = await this.#iterator.next();
      if (done) return;
      this.#bytes += value.length;
      this.#onRead?.(this.#bytes);
      if (this.#bytes > maximumHeldBytes) this.forget();
      if (!isSeekable(this.source)) this.#held?.push(value);
      yield value;
    }
  }

  forget(): void {
    this.#held = undefined;
  }

  /** @returns undefined for a stream that is too long, or after a part was cut */
  async whole(): Promise<SeekableSource | undefined> {
    if (isSeekable(this.source)) return this.#held && this.source;
    for await (const _ of this) if (this.#held === undefined) break;
    if (this.#held === undefined) return undefined;
    const bytes = join(this.#held);
    this.#held = [bytes];
    return seekableBytes(bytes);
  }

  async close(): Promise<void> {
    this.forget();
    await this.#iterator.return?.();
  }
}

async function* readEvents(
  pieces: HeldPieces,
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
  const place = queue.position;
  if (head.length < signatureBytes) {
    throw new RecordingError(
      `This recording of ${place + head.length} bytes holds no audio. Record or copy it again.`,
      'damaged',
    );
  }
  const container = containerOf(head);
  if (container !== undefined && demuxedContainers.includes(container)) {
    const file = await pieces.whole();
    if (file === undefined)
      throw new RecordingError(
        `A stream of this container (${container}) is read up to 32 MiB. Pass a File, a Blob or a path, such as await response.blob().`,
        'unsupported',
      );
    // The file is read at many places; progress is the end of the latest read.
    const read = (start: number, end: number): Promise<Uint8Array> => {
      onRead?.(place + end);
      return file.read(place + start, place + end);
    };
    return yield* readContainer(container, { size: file.size - place, read });
  }
  const fileBytes = isSeekable(pieces.source) ? pieces.source.size - queue.position : undefined;
  const reader = openReader(head, queue.isEnded ? head.length : fileBytes, queue.position > 0);
  yield reader.push(head);
  for await (const piece of pieces) yield reader.push(piece);
  yield reader.end();
}

/** Finds the container after any tag, which may be too large to hold. */
function* findStart(queue: ByteQueue): Generator<undefined, void> {
  yield* queue.has(signatureBytes);
  for (let tag = id3Bytes(queue.peek()); tag > 0; tag = id3Bytes(queue.peek())) {
    yield* queue.skip(tag);
    yield* queue.has(signatureBytes);
  }
  if (containerOf(queue.peek()) === undefined) yield* queue.has(searchedBytes);
}
