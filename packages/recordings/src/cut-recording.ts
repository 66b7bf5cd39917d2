import { join } from './bytes.ts';
import { type CutHooks, type CutOptions, Cutter, type RecordingPart, readCutOptions } from './cutter.ts';
import { RecordingError } from './errors.ts';
import { readDemuxed } from './formats/demuxed.ts';
import type { TrackEvent, TrackReader } from './formats/track.ts';
import {
  containerOf,
  demuxedContainer,
  id3Bytes,
  openReader,
  searchedBytes,
  signatureBytes,
} from './open-reader.ts';
import { createShrinker } from './shrink.ts';
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
  const shrunken = checked.shrink ? createShrinker() : undefined;
  const { onFound, onRead } = options;
  const opened = counted(openSource(source), onRead);
  const start = new KeptStart(opened, checked.maximumBytes);
  try {
    for await (const events of readEvents(start, isSeekable(opened) ? opened : undefined, onFound)) {
      for (const event of shrunken === undefined ? events : events.flatMap(shrunken)) {
        if (event.type === 'track') {
          start.forget();
          onFound?.(event.track.description);
        }
        const part = cutter.take(event);
        if (part !== undefined) yield await part;
      }
    }
    cutter.expectSound();
  } catch (error) {
    const isUnsupported = RecordingError.isInstance(error) && error.kind === 'unsupported';
    // A recording that was to be made smaller is not sent as it is.
    if (!isUnsupported || checked.shrink) throw error;
    const bytes = await start.readWhole();
    if (bytes === undefined) throw error;
    yield wholeRecording(bytes);
  } finally {
    await start.close();
  }
}

function counted(
  whole: OpenedSource,
  onRead: CutHooks['onRead'],
): SeekableSource | AsyncIterable<Uint8Array> {
  const pieces = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    let bytes = 0;
    for await (const piece of whole) {
      bytes += piece.length;
      onRead?.(bytes);
      yield piece;
    }
  };
  if (!isSeekable(whole)) return { [Symbol.asyncIterator]: pieces };
  // Read at many places, it is as far as the last of them.
  const read = (start: number, end: number): Promise<Uint8Array> => {
    onRead?.(end);
    return whole.read(start, end);
  };
  return { size: whole.size, read, [Symbol.asyncIterator]: pieces };
}

/** The recording as one part: the service accepts it as it is and determines its duration. */
function wholeRecording(bytes: Uint8Array<ArrayBuffer>): RecordingPart {
  const description = 'a container that is not read here, sent as it is';
  const place = { offset: 0, start: 0, end: undefined, overlap: 0 };
  return { index: 0, bytes, name: 'recording', mediaType: 'application/octet-stream', description, ...place };
}

/** Pieces that are kept until it is known that they can be cut. */
class KeptStart implements AsyncIterable<Uint8Array> {
  readonly #iterator: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  readonly #maximumBytes: number;
  #kept: Uint8Array[] | undefined = [];
  #keptBytes = 0;

  constructor(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maximumBytes: number) {
    this.#iterator =
      Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
    this.#maximumBytes = maximumBytes;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const { done, value } = await this.#iterator.next();
      if (done) return;
      this.#keptBytes += value.length;
      if (this.#keptBytes > this.#maximumBytes) this.forget();
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
  seekable: SeekableSource | undefined,
  onFound: CutHooks['onFound'],
): AsyncGenerator<readonly TrackEvent[], void, undefined> {
  let head: Uint8Array = new Uint8Array(0);
  let reader: TrackReader | undefined;
  // A tag may stand before any container, and be larger than what should be held.
  let tagBytes = 0;
  let passed = 0;
  for await (const piece of pieces) {
    if (reader !== undefined) {
      yield reader.push(piece);
      continue;
    }
    head = join([head, piece]);
    passed += Math.min(tagBytes, head.length);
    [head, tagBytes] = [head.subarray(tagBytes), Math.max(0, tagBytes - head.length)];
    if (head.length < signatureBytes) continue;
    const tag = id3Bytes(head);
    if (tag > 0 && tag <= head.length) {
      passed += tag;
      head = head.subarray(tag);
    } else if (tag > 0) {
      passed += head.length;
      tagBytes = tag - head.length;
      head = new Uint8Array(0);
      continue;
    }
    const container = demuxedContainer(head);
    if (container !== undefined) {
      onFound?.(`${container} file`);
      yield* readDemuxed(container, seekable ?? streamOf(head, pieces));
      return;
    }
    if (containerOf(head) === undefined && head.length < searchedBytes) continue;
    const opened = openReader(head, seekable && seekable.size - passed, passed > 0);
    onFound?.(`${opened.container} file`);
    reader = opened.reader;
    yield reader.push(head);
  }
  if (reader === undefined && head.length >= signatureBytes) {
    ({ reader } = openReader(head, head.length, passed > 0));
    yield reader.push(head);
  }
  if (reader === undefined) {
    throw new RecordingError(
      `This recording of ${passed + head.length} bytes holds no audio. Record or copy it again.`,
      passed > 0 ? 'damaged' : 'not-recognised',
    );
  }
  yield reader.end();
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
