import { limits } from '@speech-api/types/constants';
import { join } from './bytes.ts';
import { RecordingError } from './errors.ts';
import { findPause } from './find-pause.ts';
import type { Packet, Track, TrackEvent } from './formats/track.ts';
import { openReader, signatureBytes } from './open-reader.ts';

/** How a recording is cut. */
export interface CutOptions {
  /** Bytes a part may have. @defaultValue 20000000, the limit of the interface */
  readonly maximumBytes?: number | undefined;
  /** Seconds a part may have. @defaultValue 3600, the limit of the interface */
  readonly maximumSeconds?: number | undefined;
  /** Seconds that two parts share if there is no pause. @defaultValue 6 */
  readonly overlapSeconds?: number | undefined;
  /** Whether a recording that breaks off may be transcribed as far as it goes. @defaultValue false */
  readonly acceptTruncated?: boolean | undefined;
}

/** One file to transcribe. All seconds are those of the whole recording. */
export interface RecordingPart {
  /** 0, 1, 2 ... */
  readonly index: number;
  /** A complete valid file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  readonly mediaType: string;
  /** Container and codec, for people. */
  readonly description: string;
  /** Where time 0 of the file is; before `start`, because a decoder needs a warm-up. */
  readonly offset: number;
  /** Where this part begins to count. */
  readonly start: number;
  /** Where it ends; undefined for a file that is sent as it is, because its container is not read here. */
  readonly end: number | undefined;
  /** Seconds it shares with the part before; 0 after a pause. */
  readonly overlap: number;
}

/** Before the limit, a pause is looked for in so many seconds. */
const neighbourhoodSeconds = 30;
const slabBytes = 256 * 1024;

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
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: CutOptions = {},
): AsyncGenerator<RecordingPart, void, undefined> {
  const checked = readCutOptions(options);
  const cutter = new Cutter(checked);
  const start = new KeptStart(pieces, checked.maximumBytes);
  try {
    for await (const events of readEvents(start)) {
      for (const event of events) {
        if (event.type === 'track') start.forget();
        yield* cutter.take(event);
      }
    }
    cutter.expectSound();
  } catch (error) {
    if (!RecordingError.isInstance(error) || error.kind !== 'unsupported') throw error;
    const bytes = await start.readWhole();
    if (bytes === undefined) throw error;
    yield wholeRecording(bytes);
  } finally {
    await start.close();
  }
}

/** What the service accepts as it is needs no cut; how long it is, the service says. */
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
): AsyncGenerator<readonly TrackEvent[], void, undefined> {
  let head: Uint8Array = new Uint8Array(0);
  let reader: ReturnType<typeof openReader> | undefined;
  for await (const piece of pieces) {
    if (reader !== undefined) {
      yield reader.push(piece);
      continue;
    }
    const joined = new Uint8Array(head.length + piece.length);
    joined.set(head);
    joined.set(piece, head.length);
    head = joined;
    if (head.length < signatureBytes) continue;
    reader = openReader(head);
    yield reader.push(head);
  }
  if (reader === undefined) {
    throw new RecordingError(`A recording of ${head.length} bytes holds no audio.`, 'not-recognised');
  }
  yield reader.end();
}

type Limits = Required<{ [Name in keyof CutOptions]: NonNullable<CutOptions[Name]> }>;

function readCutOptions(options: CutOptions): Limits {
  const {
    maximumBytes = limits.transcriptionFileBytesSent,
    maximumSeconds = limits.transcriptionMaximumSeconds,
    overlapSeconds = Math.min(6, maximumSeconds / 2),
    acceptTruncated = false,
  } = options;
  const check = (name: string, value: number, minimum: number, maximum: number): void => {
    if (value >= minimum && value <= maximum) return;
    throw new RangeError(`${name} is ${value}; use ${minimum} to ${maximum}`);
  };
  check('maximumBytes', maximumBytes, 10_000, limits.transcriptionFileBytesSent);
  check('maximumSeconds', maximumSeconds, 5, limits.transcriptionMaximumSeconds);
  check('overlapSeconds', overlapSeconds, 0.5, maximumSeconds / 2);
  return { maximumBytes, maximumSeconds, overlapSeconds, acceptTruncated };
}

/** Gathers packets and gives a part whenever one more packet would be too much. */
class Cutter {
  readonly #limits: Limits;
  #track: Track | undefined;
  /** Packets of the part: its warm-up, then what counts. */
  #held: Packet[] = [];
  /** How many of them are before the start of the part. */
  #before = 0;
  #heldBytes = 0;
  #heldSamples = 0;
  /** Samples of the track before the first held packet. */
  #samplesBefore = 0;
  /** Packets just before the held ones, for a last part that would be too short. */
  #earlier: readonly Packet[] = [];
  #overlap = 0;
  #index = 0;
  /** Seconds of the tracks before this one. */
  #trackStart = 0;
  /** Memory that the next packets go into. */
  #slab: Uint8Array = new Uint8Array(0);

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  async *take(event: TrackEvent): AsyncGenerator<RecordingPart, void, undefined> {
    if (event.type === 'track') this.#open(event.track);
    else if (event.type === 'packet') yield* this.#add(event.packet);
    else yield* this.#end(event.trimmedSamples, event.isTruncated);
  }

  expectSound(): void {
    if (this.#index === 0) throw new RecordingError('This recording holds no audio frame.', 'damaged');
  }

  #open(track: Track): void {
    this.#track = track;
    this.#hold([], 0, 0, 0, []);
  }

  async *#add(packet: Packet): AsyncGenerator<RecordingPart, void, undefined> {
    const track = this.#trackNow();
    if (!this.#fits(track, packet)) {
      yield await this.#cut(track);
      if (!this.#fits(track, packet)) {
        throw new RecordingError(
          `A frame of ${packet.bytes.length} bytes does not fit into a part of ${this.#limits.maximumBytes} bytes and ${this.#limits.maximumSeconds} s.`,
          'unsupported',
        );
      }
    }
    this.#held.push({ bytes: this.#keep(packet.bytes), samples: packet.samples });
    this.#heldBytes += packet.bytes.length + track.packetOverhead(packet.bytes.length);
    this.#heldSamples += packet.samples;
  }

  /** A hundred thousand frames with memory of their own would take three times their bytes. */
  #keep(bytes: Uint8Array): Uint8Array {
    if (this.#slab.length < bytes.length) this.#slab = new Uint8Array(Math.max(slabBytes, bytes.length));
    const kept = this.#slab.subarray(0, bytes.length);
    this.#slab = this.#slab.subarray(bytes.length);
    kept.set(bytes);
    return kept;
  }

  #fits(track: Track, { bytes, samples }: Packet): boolean {
    const size = track.headerBytes + this.#heldBytes + bytes.length + track.packetOverhead(bytes.length) + 1;
    const seconds = (this.#heldSamples + samples) / track.sampleRate;
    return size <= this.#limits.maximumBytes && seconds <= this.#limits.maximumSeconds;
  }

  /** Ends the part in a pause before the limit, or at the limit, so that the next one overlaps it. */
  async #cut(track: Track): Promise<RecordingPart> {
    const held = this.#held;
    const seconds = this.#heldSamples / track.sampleRate;
    const countedSeconds = seconds - samplesOf(held.slice(0, this.#before)) / track.sampleRate;
    const windowSeconds = Math.min(neighbourhoodSeconds, countedSeconds / 2);
    const from = backwards(track, held, held.length, windowSeconds);
    const pause = await pauseIn(track, held.slice(from));
    const end = pause === undefined ? held.length : from + pause;
    const part = this.#part(track, Math.min(held.length, end + track.tailPackets), end);
    const overlap = pause === undefined ? Math.min(this.#limits.overlapSeconds, countedSeconds / 2) : 0;
    const start = backwards(track, held, end, overlap);
    const first = backwards(track, held, start, track.warmUpSeconds);
    const earlier = held.slice(backwards(track, held, first, 2 * limits.transcriptionMinimumSeconds), first);
    const dropped = samplesOf(held.slice(0, first));
    const shared = samplesOf(held.slice(start, end)) / track.sampleRate;
    this.#hold(held.slice(first), start - first, this.#samplesBefore + dropped, shared, earlier);
    return part;
  }

  async *#end(trimmedSamples: number, isTruncated: boolean): AsyncGenerator<RecordingPart, void, undefined> {
    const track = this.#trackNow();
    const total = this.#samplesBefore + this.#heldSamples;
    if (isTruncated && !this.#limits.acceptTruncated) {
      const seconds = (this.#trackStart + total / track.sampleRate).toFixed(1);
      throw new RecordingError(
        `This ${track.extension} file breaks off after ${seconds} s. To transcribe it as far as it goes, pass acceptTruncated: true (--accept-truncated).`,
        'damaged',
      );
    }
    if (this.#held.length > this.#before) {
      const end = this.#lengthen(track);
      yield this.#part(track, this.#held.length, end, trimmedSamples);
    }
    this.#trackStart += Math.max(0, total - trimmedSamples - track.skippedSamples) / track.sampleRate;
    this.#track = undefined;
  }

  /** The service accepts nothing shorter than a second. @returns how many packets are of the recording */
  #lengthen(track: Track): number {
    const minimum = limits.transcriptionMinimumSeconds * track.sampleRate;
    if (this.#heldSamples >= minimum) return this.#held.length;
    const earlier = samplesOf(this.#earlier);
    if (earlier > 0) {
      const { length } = this.#earlier;
      this.#hold(
        [...this.#earlier, ...this.#held],
        this.#before + length,
        this.#samplesBefore - earlier,
        this.#overlap,
        [],
      );
    }
    const ownPackets = this.#held.length;
    while (this.#heldSamples < minimum && track.silence !== undefined) {
      this.#held.push(track.silence);
      this.#heldSamples += track.silence.samples;
    }
    if (this.#heldSamples < minimum) {
      const seconds = (this.#heldSamples / track.sampleRate).toFixed(2);
      throw new RecordingError(
        `This recording is ${seconds} s long; the service accepts ${limits.transcriptionMinimumSeconds} s or more.`,
        'too-short',
      );
    }
    return ownPackets;
  }

  #part(track: Track, count: number, end: number, trimmedSamples = 0): RecordingPart {
    const seconds = (packets: number): number =>
      this.#trackStart +
      (this.#samplesBefore + samplesOf(this.#held.slice(0, packets)) - track.skippedSamples) /
        track.sampleRate;
    const index = this.#index;
    this.#index += 1;
    return {
      index,
      bytes: track.write(this.#held.slice(0, count)),
      name: `part-${String(index + 1).padStart(4, '0')}.${track.extension}`,
      mediaType: track.mediaType,
      description: track.description,
      offset: seconds(0),
      start: Math.max(this.#trackStart, seconds(this.#before)),
      end: seconds(end) - trimmedSamples / track.sampleRate,
      overlap: this.#overlap,
    };
  }

  #hold(
    packets: Packet[],
    before: number,
    samplesBefore: number,
    overlap: number,
    earlier: readonly Packet[],
  ): void {
    const track = this.#trackNow();
    this.#held = packets;
    this.#before = before;
    this.#samplesBefore = samplesBefore;
    this.#overlap = overlap;
    this.#earlier = earlier;
    this.#heldSamples = samplesOf(packets);
    this.#heldBytes = packets.reduce(
      (sum, { bytes }) => sum + bytes.length + track.packetOverhead(bytes.length),
      0,
    );
  }

  #trackNow(): Track {
    if (this.#track === undefined)
      throw new RecordingError('This recording holds no audio frame.', 'damaged');
    return this.#track;
  }
}

/** The packet in the middle of a pause; undefined where there is none, or the sound cannot be decoded here. */
async function pauseIn(track: Track, packets: readonly Packet[]): Promise<number | undefined> {
  let seconds: number | undefined;
  try {
    const { samples, sampleRate } = await track.decode(track.write(packets));
    seconds = findPause(samples, sampleRate);
  } catch {
    // Then parts overlap, as they do in music.
    return undefined;
  }
  if (seconds === undefined) return undefined;
  let passed = 0;
  const index = packets.findIndex(({ samples }) => {
    passed += samples;
    return passed / track.sampleRate >= seconds;
  });
  return index <= 0 ? undefined : index;
}

/** The index from which packets before `end` last at least `seconds`. */
function backwards(track: Track, packets: readonly Packet[], end: number, seconds: number): number {
  let index = end;
  let samples = 0;
  while (index > 0 && samples < seconds * track.sampleRate) {
    index -= 1;
    samples += packets[index]?.samples ?? 0;
  }
  return index;
}

function samplesOf(packets: readonly Packet[]): number {
  return packets.reduce((sum, { samples }) => sum + samples, 0);
}
