import {
  type Container,
  id3Bytes,
  joinBytes,
  recogniseContainer,
  searchedBytes,
  signatureBytes,
} from '@speech-api/audio';
import { type CutHooks, type CutOptions, Cutter, type RecordingPart, readCutOptions } from './cutter.ts';
import { asRecordingError, RecordingError } from './errors.ts';
import { readContainer } from './formats/container.ts';
import { openReader } from './formats/open-reader.ts';
import type { TrackEvent } from './formats/track.ts';
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
  let note: string | undefined;
  try {
    for await (const events of readEvents(pieces, options)) {
      for (const event of events) {
        if (event.type === 'note') note = event.text;
        const part = event.type === 'note' ? undefined : cutter.take(event);
        if (part === undefined) continue;
        pieces.forget();
        yield note === undefined ? await part : { ...(await part), note };
        note = undefined;
      }
    }
    cutter.expectSound();
  } catch (thrown) {
    const error = asRecordingError(thrown);
    const isUnsupported = RecordingError.isInstance(error) && error.kind === 'unsupported';
    const whole = isUnsupported ? await pieces.whole() : undefined;
    if (!isUnsupported || whole === undefined || whole.size > checked.maximumBytes) throw error;
    yield wholeRecording(joinBytes([await whole.read(0, whole.size)]), error.message);
  } finally {
    await pieces.close();
  }
}

/** The recording as one part: the service determines its duration, if it accepts it. */
function wholeRecording(bytes: Uint8Array<ArrayBuffer>, reason: string): RecordingPart {
  return {
    ...{ index: 0, bytes, name: 'recording', mediaType: 'application/octet-stream' },
    description: 'a recording that is sent as it is',
    ...{ offset: 0, start: 0, end: undefined, overlap: 0 },
    note: `The recording is sent as it is, and the service may refuse it. ${reason}`,
  };
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
    const bytes = joinBytes(this.#held);
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
  { onRead, track }: CutHooks & CutOptions,
): AsyncGenerator<readonly TrackEvent[], void, undefined> {
  const { head, place, isWhole } = await readHead(pieces);
  if (head.length < signatureBytes) {
    throw new RecordingError(
      `This recording of ${place + head.length} bytes holds no audio. Record or copy it again.`,
      'damaged',
    );
  }
  // A tag comes before mp3, too.
  const recognised = recogniseContainer(head) ?? (place > 0 ? { container: 'mp3' } : undefined);
  if (recognised !== undefined && 'container' in recognised && isDemuxed(recognised.container)) {
    const { container } = recognised;
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
    return yield* readContainer(container, { size: file.size - place, read }, track);
  }
  if ((track ?? 1) > 1) throw new RangeError(`track is ${track}, and this file has one track of sound`);
  const fileBytes = isSeekable(pieces.source) ? pieces.source.size - place : undefined;
  const reader = openReader(recognised, isWhole ? head.length : fileBytes);
  yield reader.push(head);
  for await (const piece of pieces) yield reader.push(piece);
  yield reader.end();
}

/** True for the containers that are read at many places. */
function isDemuxed(container: Container): container is Exclude<Container, 'wav' | 'mp3' | 'ogg'> {
  return !['wav', 'ogg', 'mp3'].includes(container);
}

/** Reads on to the container after any tag, which may be too large to hold. */
async function readHead(pieces: AsyncIterable<Uint8Array>) {
  const iterator = pieces[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array(0);
  let place = 0;
  let tagBytes = 0;
  for (;;) {
    if (tagBytes === 0 && head.length >= signatureBytes) tagBytes = id3Bytes(head);
    const passed = Math.min(tagBytes, head.length);
    head = head.subarray(passed);
    place += passed;
    tagBytes -= passed;
    if (passed > 0 && tagBytes === 0) continue;
    const isRecognised =
      head.length >= signatureBytes &&
      (head.length >= searchedBytes || recogniseContainer(head) !== undefined);
    if (isRecognised) return { head, place, isWhole: false };
    const { done, value } = await iterator.next();
    if (done) return { head, place, isWhole: true };
    head = joinBytes([head, value]);
  }
}
