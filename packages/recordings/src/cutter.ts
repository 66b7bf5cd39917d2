import { joinBytes } from '@speech-api/audio';
import { limits } from '@speech-api/types/constants';
import { RecordingError, unsupported } from './errors.ts';
import type { Packet, Sound, Track, TrackEvent } from './formats/track.ts';

/** Options for cutting a recording. */
export interface CutOptions {
  /** Bytes a part may have. @defaultValue 20000000, as we read the 20 MB of the interface */
  readonly maximumBytes?: number | undefined;
  /** Seconds a part may have. @defaultValue 3600, the limit of the interface */
  readonly maximumSeconds?: number | undefined;
  /** Seconds that two parts share if there is no pause. @defaultValue 6 */
  readonly overlapSeconds?: number | undefined;
  /** Whether to transcribe a truncated recording up to its end. @defaultValue false */
  readonly acceptTruncated?: boolean | undefined;
  /** The track of sound to read, counted from 1, in a film or a meeting with several. @defaultValue the first that can be read, with a note */
  readonly track?: number | undefined;
}

/** Callbacks and memory that a caller may give to the cutter. */
export interface CutHooks {
  /** Called with the number of bytes read so far. */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /**
   * Memory of an earlier part that is no longer needed, for the next one: garbage of 20 MB each would pile up. If there is
   * none, a part gets memory with room for any other.
   */
  readonly memory?: (() => Uint8Array<ArrayBuffer> | undefined) | undefined;
  /** Ends the cut and closes the source, even one that stalls. */
  readonly signal?: AbortSignal | undefined;
}

/** One file to transcribe. All seconds are those of the whole recording. */
export interface RecordingPart {
  /** Number of the part, counted from 0. */
  readonly index: number;
  /** A complete valid file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  readonly mediaType: string;
  /** Container and codec, for people. */
  readonly description: string;
  /** Position of time 0 of the file; before `start`, because a decoder needs a warm-up. */
  readonly offset: number;
  /** Position at which this part begins to count. */
  readonly start: number;
  /** End of the part; undefined for a file that is sent as it is, because its container is not read here. */
  readonly end: number | undefined;
  /** Seconds it shares with the part before; 0 after a pause. */
  readonly overlap: number;
  /** On the first part: what a person should know before it is sent, such as that there are other tracks. */
  readonly note?: string;
}

/** Before the limit, a pause is looked for in this many seconds. */
const neighbourhoodSeconds = 30;

type Limits = Required<{ [Name in keyof Omit<CutOptions, 'track'>]: NonNullable<CutOptions[Name]> }> &
  Pick<CutHooks, 'memory'>;

export function readCutOptions(options: CutOptions & CutHooks): Limits {
  const {
    maximumBytes = limits.transcriptionFileBytesSent,
    maximumSeconds = limits.transcriptionMaximumSeconds,
    overlapSeconds = Math.min(6, maximumSeconds / 2),
    acceptTruncated = false,
    memory,
  } = options;
  const check = (name: string, value: number, minimum: number, maximum: number): void => {
    if (value >= minimum && value <= maximum) return;
    throw new RangeError(`${name} is ${value}; use ${minimum} to ${maximum}`);
  };
  check('maximumBytes', maximumBytes, 10_000, limits.transcriptionFileBytesSent);
  check('maximumSeconds', maximumSeconds, 5, limits.transcriptionMaximumSeconds);
  check('overlapSeconds', overlapSeconds, 0.5, maximumSeconds / 2);
  return { maximumBytes, maximumSeconds, overlapSeconds, acceptTruncated, memory };
}

/** The part that is being collected. */
interface Gathered {
  /** Packets of the warm-up, then those that count. */
  readonly packets: readonly Packet[];
  /** Number of packets of the warm-up. */
  readonly before: number;
  /** Samples of the track before the first packet. */
  readonly samplesBefore: number;
  /** Packets just before the first one, for a last part that would be too short. */
  readonly earlier: readonly Packet[];
  /** Seconds. */
  readonly overlap: number;
}

const nothing: Gathered = { packets: [], before: 0, samplesBefore: 0, earlier: [], overlap: 0 };

/**
 * The packets of a part in one memory that all parts reuse. Three hours have half a million packets, too many to keep as
 * objects.
 */
class GatheredPackets {
  readonly #memory: Uint8Array;
  /** Where each packet begins, and where the last one ends. */
  readonly #places = [0];
  readonly #samples: number[] = [];

  constructor(maximumBytes: number) {
    this.#memory = new Uint8Array(maximumBytes);
  }

  get length(): number {
    return this.#samples.length;
  }

  clear(): void {
    this.#places.length = 1;
    this.#samples.length = 0;
  }

  add({ bytes, samples }: Packet): void {
    const place = this.#places[this.length] ?? 0;
    // The first packets of a part may already be in this memory, after the place where they go.
    this.#memory.set(bytes, place);
    this.#places.push(place + bytes.length);
    this.#samples.push(samples);
  }

  slice(from: number, to = this.length): Packet[] {
    const packets: Packet[] = [];
    for (let index = from; index < to; index++)
      packets.push({ bytes: this.bytesIn(index, index + 1), samples: this.#samples[index] ?? 0 });
    return packets;
  }

  bytesIn(from: number, to: number): Uint8Array {
    return this.#memory.subarray(this.#places[from], this.#places[to]);
  }

  samplesIn(from: number, to = this.length): number {
    let sum = 0;
    for (let index = from; index < to; index++) sum += this.#samples[index] ?? 0;
    return sum;
  }

  /** The index from which packets before `end` have at least this many samples. */
  backwards(end: number, samples: number): number {
    let index = end;
    for (let passed = 0; index > 0 && passed < samples; passed += this.#samples[index] ?? 0) index -= 1;
    return index;
  }
}

/** Collects packets and returns a part whenever one more packet would exceed the limits. */
export class Cutter {
  readonly #limits: Limits;
  #track: Track | undefined;
  #gathered = nothing;
  readonly #packets: GatheredPackets;
  /** Bytes of the part including what the container adds, and its samples. */
  #bytes = 0;
  #samples = 0;
  #index = 0;
  /** Seconds of the tracks before this one. */
  #trackStart = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#packets = new GatheredPackets(limits.maximumBytes);
  }

  /** @returns the part that this packet completes; most packets complete none, so this must be cheap */
  take(event: Exclude<TrackEvent, { type: 'note' }>): Promise<RecordingPart> | RecordingPart | undefined {
    if (event.type === 'track') {
      // This is checked before anything is sent.
      if (event.breaksOffAfter !== undefined) this.#refuseTruncated(event.track, event.breaksOffAfter);
      this.#track = event.track;
      this.#gather(nothing);
    } else if (event.type === 'track-end') return this.#end(event.trimmedSamples, event.isTruncated);
    else if (!this.#fits(this.#trackNow(), event.packet)) return this.#cutBefore(event.packet);
    else this.#add(event.packet);
    return undefined;
  }

  expectSound(): void {
    if (this.#index === 0) throw noSound();
  }

  async #cutBefore(packet: Packet): Promise<RecordingPart> {
    const track = this.#trackNow();
    const part = await this.#cut(track);
    if (!this.#fits(track, packet)) {
      const { maximumBytes, maximumSeconds } = this.#limits;
      const limit = `a part of ${maximumBytes} bytes and ${maximumSeconds} s`;
      throw unsupported(`a frame of ${packet.bytes.length} bytes, too large for ${limit}`);
    }
    this.#add(packet);
    return part;
  }

  /** Begins a part. Its packets may be those of the previous part, which are in memory after the place where they go. */
  #gather(gathered: Gathered): void {
    this.#gathered = gathered;
    this.#packets.clear();
    [this.#bytes, this.#samples] = [0, 0];
    for (const packet of gathered.packets) this.#add(packet);
  }

  #add(packet: Packet): void {
    const { length } = packet.bytes;
    this.#packets.add(packet);
    this.#bytes += length + this.#trackNow().packetOverhead(length);
    this.#samples += packet.samples;
  }

  #fits(track: Track, { bytes, samples }: Packet): boolean {
    const size = track.headerBytes + this.#bytes + bytes.length + track.packetOverhead(bytes.length) + 1;
    const seconds = (this.#samples + samples) / track.sampleRate;
    return size <= this.#limits.maximumBytes && seconds <= this.#limits.maximumSeconds;
  }

  /** Ends the part in a pause before the limit; without a pause, at the limit, and the next part overlaps it. */
  async #cut(track: Track): Promise<RecordingPart> {
    const packets = this.#packets;
    const { before, samplesBefore } = this.#gathered;
    const back = (end: number, seconds: number): number => packets.backwards(end, seconds * track.sampleRate);
    const countedSeconds = packets.samplesIn(before) / track.sampleRate;
    const windowSeconds = Math.min(neighbourhoodSeconds, countedSeconds / 2);
    const from = back(packets.length, windowSeconds);
    const pause = await pauseIn(track, packets.slice(from));
    const end = pause === undefined ? packets.length : from + pause;
    const part = this.#part(track, Math.min(packets.length, end + track.tailPackets), end);
    const overlap = pause === undefined ? Math.min(this.#limits.overlapSeconds, countedSeconds / 2) : 0;
    const start = back(end, overlap);
    const first = back(start, track.warmUpSeconds);
    const earliest = back(first, 2 * limits.transcriptionMinimumSeconds);
    this.#gather({
      packets: packets.slice(first),
      before: start - first,
      samplesBefore: samplesBefore + packets.samplesIn(0, first),
      earlier: packets.slice(earliest, first).map((packet) => ({ ...packet, bytes: packet.bytes.slice() })),
      overlap: packets.samplesIn(start, end) / track.sampleRate,
    });
    return part;
  }

  #refuseTruncated(track: Track, seconds: number): void {
    if (this.#limits.acceptTruncated) return;
    throw new RecordingError(
      `This recording, ${track.description}, breaks off after ${seconds.toFixed(1)} s. To transcribe it as far as it goes, pass acceptTruncated: true (--accept-truncated).`,
      'damaged',
    );
  }

  #end(trimmedSamples: number, isTruncated: boolean): RecordingPart | undefined {
    const track = this.#trackNow();
    const total = this.#gathered.samplesBefore + this.#samples;
    if (isTruncated) this.#refuseTruncated(track, this.#trackStart + total / track.sampleRate);
    let part: RecordingPart | undefined;
    if (this.#packets.length > this.#gathered.before) {
      const end = this.#lengthen(track);
      part = this.#part(track, this.#packets.length, end, trimmedSamples);
    }
    this.#trackStart += Math.max(0, total - trimmedSamples - track.skippedSamples) / track.sampleRate;
    this.#track = undefined;
    return part;
  }

  /** The service accepts nothing shorter than a second. @returns the number of packets that are part of the recording */
  #lengthen(track: Track): number {
    const minimum = limits.transcriptionMinimumSeconds * track.sampleRate;
    if (this.#samples >= minimum) return this.#packets.length;
    const { earlier, before, samplesBefore, overlap } = this.#gathered;
    const counted = this.#packets.slice(0).map((packet) => ({ ...packet, bytes: packet.bytes.slice() }));
    this.#gather({
      ...nothing,
      packets: [...earlier, ...counted],
      before: before + earlier.length,
      samplesBefore: samplesBefore - earlier.reduce((sum, { samples }) => sum + samples, 0),
      overlap,
    });
    const ownPackets = this.#packets.length;
    while (this.#samples < minimum && track.silence !== undefined) this.#add(track.silence);
    if (this.#samples < minimum) {
      const seconds = (this.#samples / track.sampleRate).toFixed(2);
      throw new RecordingError(
        `This recording is ${seconds} s long; the service accepts ${limits.transcriptionMinimumSeconds} s or more. Add silence: ffmpeg -i IN -af apad=whole_dur=${limits.transcriptionMinimumSeconds} out.wav`,
        'too-short',
      );
    }
    return ownPackets;
  }

  #part(track: Track, count: number, end: number, trimmedSamples = 0): RecordingPart {
    const { before, samplesBefore, overlap } = this.#gathered;
    const seconds = (packets: number): number =>
      this.#trackStart +
      (samplesBefore + this.#packets.samplesIn(0, packets) - track.skippedSamples) / track.sampleRate;
    const index = this.#index;
    this.#index += 1;
    const { memory, maximumBytes } = this.#limits;
    const { plainAfter = count } = track;
    const written = track.write(this.#packets.slice(0, Math.min(count, plainAfter)));
    const pieces = plainAfter < count ? [...written, this.#packets.bytesIn(plainAfter, count)] : written;
    // Decoders drop the first packet of this codec, so time 0 of the file is after it.
    const mute = track.firstPacketIsMute && count > 0 ? 1 : 0;
    return {
      index,
      bytes: joinBytes(pieces, memory && (memory() ?? new Uint8Array(maximumBytes))),
      name: `part-${String(index + 1).padStart(4, '0')}.${track.extension}`,
      mediaType: track.mediaType,
      description: track.description,
      offset: seconds(mute),
      start: Math.max(this.#trackStart, seconds(before)),
      end: seconds(end) - trimmedSamples / track.sampleRate,
      overlap,
    };
  }

  #trackNow(): Track {
    if (this.#track === undefined) throw noSound();
    return this.#track;
  }
}

const noSound = () => new RecordingError('This recording holds no audio frame.', 'damaged');

/** The packet in the middle of a pause; undefined if there is none, or the sound cannot be decoded here. */
async function pauseIn(track: Track, packets: readonly Packet[]): Promise<number | undefined> {
  if (track.decode === undefined) return undefined;
  let seconds: number | undefined;
  try {
    seconds = findPause(await track.decode(joinBytes(track.write(packets))));
  } catch {
    // Without a pause parts overlap, as in music.
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

/** The loudness is measured once per step of this length. */
const stepSeconds = 0.01;
/** A pause at the end of a sentence is longer than this; one between words may be shorter. Seconds. */
const shortestPauseSeconds = 0.25;
/** Speech must be louder than the noise by at least this much. Decibels. */
const smallestContrast = 9;
/** Sound below this level is silence. Decibels of full scale. */
const silentDecibels = -60;

/**
 * The middle of the longest pause, in seconds from the start of the sound; of equally long ones the last. A pause is one in
 * each channel. What counts as quiet is judged by the loud and the quiet moments of this sound.
 *
 * @returns undefined if there is no pause, such as in music
 */
function findPause({ channels, sampleRate }: Sound): number | undefined {
  const step = Math.max(1, Math.round(sampleRate * stepSeconds));
  const [levels = new Float32Array(0), ...others] = channels.map((samples) => loudness(samples, step));
  for (const channel of others)
    for (const [index, level] of channel.entries()) levels[index] = Math.max(levels[index] ?? 0, level);
  const sorted = levels.toSorted();
  const quiet = sorted[Math.floor(sorted.length * 0.05)] ?? 0;
  const loud = sorted[Math.floor(sorted.length * 0.9)] ?? 0;
  if (loud > silentDecibels && loud - quiet < smallestContrast) return undefined;
  const threshold = Math.max(silentDecibels, quiet + (loud - quiet) * 0.25);
  let best: { start: number; length: number } | undefined;
  let start = 0;
  for (let index = 0; index <= levels.length; index++) {
    if (index < levels.length && (levels[index] ?? 0) <= threshold) continue;
    const length = index - start;
    if (length * stepSeconds >= shortestPauseSeconds && length >= (best?.length ?? 0))
      best = { start, length };
    start = index + 1;
  }
  return best === undefined ? undefined : (best.start + best.length / 2) * stepSeconds;
}

function loudness(samples: Float32Array, step: number): Float32Array {
  const levels = new Float32Array(Math.floor(samples.length / step));
  for (let index = 0; index < levels.length; index++) {
    let energy = 0;
    for (let offset = 0; offset < step; offset++) energy += (samples[index * step + offset] ?? 0) ** 2;
    levels[index] = 10 * Math.log10(energy / step + 1e-12);
  }
  return levels;
}
