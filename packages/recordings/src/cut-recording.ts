import { ByteQueue, join } from './bytes.ts';
import { type CutHooks, type CutOptions, Cutter, type RecordingPart, readCutOptions } from './cutter.ts';
import { RecordingError } from './errors.ts';
import { readContainer } from './formats/container.ts';
import type { TrackEvent } from './formats/track.ts';
import {
  containerOf,
  demuxedContainer,
  id3Bytes,
  openReader,
  searchedBytes,
  signatureBytes,
} from './open-reader.ts';
import { isSeekable, type OpenedSource, openSource, type RecordingSource } from './source.ts';

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
  const pieces = new KeptPieces(opened, checked.maximumBytes, options.onRead);
  try {
    for await (const events of readEvents(pieces, opened, options)) {
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
    const whole = isUnsupported ? await pieces.readWhole() : undefined;
    if (whole === undefined) throw error;
    yield wholeRecording(whole);
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

/** Pieces of a recording, kept while it may still be sent as it is. Each loop over them goes on where the last ended. */
class KeptPieces implements AsyncIterable<Uint8Array> {
  readonly #source: OpenedSource;
  readonly #iterator: AsyncIterator<Uint8Array>;
  readonly #maximumBytes: number;
  readonly #onRead: CutHooks['onRead'];
  #kept: Uint8Array[] | undefined = [];
  #bytes = 0;

  constructor(source: OpenedSource, maximumBytes: number, onRead: CutHooks['onRead']) {
    this.#source = source;
    this.#iterator = source[Symbol.asyncIterator]();
    this.#maximumBytes = maximumBytes;
    this.#onRead = onRead;
    // It can be read again.
    if (isSeekable(source)) this.#kept = source.size > maximumBytes ? undefined : [];
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const { done, value } = await this.#iterator.next();
      if (done) return;
      this.#bytes += value.length;
      this.#onRead?.(this.#bytes);
      if (this.#bytes > this.#maximumBytes) this.forget();
      if (!isSeekable(this.#source)) this.#kept?.push(value);
      yield value;
    }
  }

  forget(): void {
    this.#kept = undefined;
  }

  /** @returns undefined where the recording is too large, or a part of it was given away */
  async readWhole(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.#kept === undefined) return undefined;
    if (isSeekable(this.#source)) return join([await this.#source.read(0, this.#source.size)]);
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
  const place = queue.position;
  if (head.length < signatureBytes) {
    throw new RecordingError(
      `This recording of ${place + head.length} bytes holds no audio. Record or copy it again.`,
      'damaged',
    );
  }
  const demuxed = demuxedContainer(head);
  if (demuxed !== undefined) {
    if (!isSeekable(source)) return yield* readContainer(demuxed, withHead(head, pieces));
    // Read at many places, it is as far as the last of them.
    const read = (start: number, end: number): Promise<Uint8Array> => {
      onRead?.(place + end);
      return source.read(place + start, place + end);
    };
    return yield* readContainer(demuxed, { size: source.size - place, read });
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
  if (containerOf(queue.peek()) === undefined) yield* queue.has(searchedBytes);
}

/** The bytes that were read already and those that follow. */
async function* withHead(head: Uint8Array, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  yield* pieces;
}
