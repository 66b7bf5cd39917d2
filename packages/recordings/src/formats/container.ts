import type { EncodedPacket, EncodedPacketSink, InputAudioTrack, Source } from 'mediabunny';
import { hasText, join, viewOf } from '../bytes.ts';
import { damaged, RecordingError, unsupported } from '../errors.ts';
import type { SeekableSource } from '../source.ts';
import { openAac, openAdts } from './aac.ts';
import { createFlacFrames, openFlac } from './flac.ts';
import { openMp3 } from './mp3.ts';
import { openOpus } from './opus.ts';
import { createGaps, type Gaps, type PacketCodec, type TrackEvent } from './track.ts';
import { openVorbis, readXiphHeaders } from './vorbis.ts';
import { openPcm, type PcmEncoding } from './wav.ts';

/** A recording that can be read at any place. */
export type SeekableBytes = Pick<SeekableSource, 'size' | 'read'>;

/** Packets are passed on in groups, so that a long file takes few turns. */
const packetsPerGroup = 64;
/** mediabunny misses a last flac frame of less than 16 bytes. These padding bytes form no frame. */
const padding = new Uint8Array(16).fill(0x55);
/** Maximum bytes of tags after the last frame of an adts file. */
const maximumTagBytes = 4096;

/**
 * The first track of sound of an mp4, mov, webm, Matroska, flac or AAC (adts) file; pictures are ignored. mediabunny reads
 * the container, and is loaded when there is one. Parts are files of the codec's own container.
 */
export async function* readContainer(
  container: string,
  file: SeekableBytes,
): AsyncGenerator<readonly TrackEvent[], void, undefined> {
  const { Input, MP4, QTFF, MATROSKA, WEBM, FLAC, ADTS, EncodedPacketSink } = await import('mediabunny');
  let failure: unknown;
  const isPadded = container === 'flac';
  const input = new Input({
    source: await openSource(file, isPadded, (error) => {
      failure ??= error;
    }),
    formats: [MP4, QTFF, WEBM, MATROSKA, FLAC, ADTS],
  });
  const name = `${container} file`;
  let placer: Placer | undefined;
  try {
    const track = await input.getPrimaryAudioTrack();
    if (track === null && (await input.getTracks()).length > 0)
      throw unsupported(`${withArticle(container)} without a track of sound`);
    if (track === null) throw damaged(name, 'it breaks off before its index, or holds no track');
    const editEnd = await findEditEnd(file, track.id);
    const sink = new EncodedPacketSink(track);
    let group: TrackEvent[] = [];
    let last = 0;
    for await (const packet of sink.packets()) {
      placer ??= new Placer(container, await openCodec(container, track, packet.data), editEnd);
      last = packet.timestamp;
      group.push(...placer.place(packet));
      if (group.length < packetsPerGroup) continue;
      yield group;
      group = [];
    }
    if (placer === undefined || placer.samples === 0) throw damaged(name, 'it holds no frame of sound');
    // The frames of flac are checked one by one instead.
    const breaksOff =
      container === 'AAC (adts)'
        ? await endsEarly(file, placer.bytes)
        : container !== 'flac' && (await endsBefore(file, sink, last));
    const isTruncated = breaksOff || placer.isTruncated;
    yield [...group, { type: 'track-end', trimmedSamples: placer.trimmedSamples, isTruncated }];
  } catch (error) {
    if (failure !== undefined) throw failure;
    if (RecordingError.isInstance(error)) throw error;
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
    if (/not supported|unsupported|encrypted/i.test(reason))
      throw unsupported(`${withArticle(container)} (${reason})`);
    throw damaged(name, `after ${(placer?.seconds ?? 0).toFixed(1)} s, ${reason}`);
  } finally {
    input.dispose();
  }
}

/** @param onFailure - Gets the error of a source that cannot be read, which is not a fault of the container. */
async function openSource(
  file: SeekableBytes,
  isPadded: boolean,
  onFailure: (error: unknown) => void,
): Promise<Source> {
  const { CustomSource } = await import('mediabunny');
  const { size } = file;
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    try {
      const bytes = start < size ? await file.read(start, Math.min(end, size)) : new Uint8Array(0);
      return end > size ? join([bytes, padding.subarray(Math.max(0, start - size), end - size)]) : bytes;
    } catch (error) {
      onFailure(error);
      throw error;
    }
  };
  const getSize = (): number => size + (isPadded ? padding.length : 0);
  // An error without a pending read would end the process; the next packet reports it again.
  return new CustomSource({ getSize, read, prefetchProfile: 'fileSystem', handleUnhandledError: onFailure });
}

const withArticle = (container: string): string =>
  `${/^(?:mp4|AAC)/.test(container) ? 'an' : 'a'} ${container} file`;

/** Places the packets of a container at their times. */
class Placer {
  readonly #container: string;
  readonly #codec: PacketCodec;
  readonly #end: number;
  readonly #gaps: Gaps;
  readonly #flac = createFlacFrames();
  #first: number | undefined;
  /** Bytes of all packets so far. */
  bytes = 0;
  samples = 0;
  trimmedSamples = 0;
  #hasBrokenFrame = false;

  /** @param end - Seconds at which an edit list ends the sound. */
  constructor(container: string, codec: PacketCodec, end: number) {
    this.#container = container;
    this.#codec = codec;
    this.#end = end;
    this.#gaps = createGaps(withArticle(container), codec.track);
  }

  get isTruncated(): boolean {
    return this.#hasBrokenFrame || this.samples < (this.#codec.totalSamples ?? 0);
  }

  get seconds(): number {
    return this.samples / this.#codec.track.sampleRate;
  }

  *place({ timestamp, data: whole, duration }: EncodedPacket): Generator<TrackEvent> {
    const { track } = this.#codec;
    // Audio that an edit list leaves out is only used as a warm-up.
    if (timestamp + duration <= -track.warmUpSeconds || timestamp >= this.#end || this.#hasBrokenFrame)
      return;
    const data = this.#container === 'flac' ? this.#flac(whole) : whole;
    if (data === undefined) {
      this.#hasBrokenFrame = true;
      return;
    }
    const samples = this.#codec.samplesOf(data);
    if (samples === undefined)
      throw damaged(`${this.#container} file`, 'a packet of its sound is none of its codec');
    if (this.#first === undefined) {
      this.#first = timestamp;
      // A container that starts below zero skips that audio; one that starts later has no audio before.
      const early = Math.round(-timestamp * track.sampleRate);
      const skippedSamples = early > 0 ? Math.max(early, track.skippedSamples) : track.skippedSamples + early;
      yield { type: 'track', track: { ...track, skippedSamples } };
    }
    for (const silence of this.#gaps(timestamp - this.#first, this.samples)) {
      this.samples += silence.packet.samples;
      yield silence;
    }
    this.bytes += data.length;
    this.samples += samples;
    const packet = this.#codec.frame?.(data) ?? data;
    const { pieceBytes = packet.length } = this.#codec;
    for (let start = 0; start < packet.length; start += pieceBytes) {
      const bytes = packet.subarray(start, start + pieceBytes);
      const isWhole = bytes.length === packet.length;
      yield {
        type: 'packet',
        packet: { bytes, samples: isWhole ? samples : (this.#codec.samplesOf(bytes) ?? 0) },
      };
    }
    const surplus = this.#first + this.seconds - this.#end;
    this.trimmedSamples = Math.max(0, Math.min(samples, Math.round(surplus * track.sampleRate)));
  }
}

/** @returns true if the file's index lists a packet that is missing, or a Matroska file states a larger size */
async function endsBefore(file: SeekableBytes, sink: EncodedPacketSink, last: number): Promise<boolean> {
  const indexed = await sink.getPacket(Number.POSITIVE_INFINITY, { metadataOnly: true });
  if (indexed !== null && last < indexed.timestamp) return true;
  return file.size < segmentEnd(await file.read(0, Math.min(file.size, 4096)));
}

/** @returns true if an adts file continues after its whole frames with more than a tag */
async function endsEarly(file: SeekableBytes, frameBytes: number): Promise<boolean> {
  const [next] = file.size > frameBytes ? await file.read(frameBytes, frameBytes + 1) : [];
  return file.size - frameBytes > maximumTagBytes || next === 0xff;
}

async function openCodec(container: string, track: InputAudioTrack, first: Uint8Array): Promise<PacketCodec> {
  const codec = await track.getCodec();
  const config = await track.getDecoderConfig().catch(() => null);
  const description = bytesOf(config?.description);
  const [sampleRate, channels] = [config?.sampleRate ?? 0, config?.numberOfChannels ?? 0];
  if (codec === 'opus') return openOpus(description, container);
  if (codec === 'vorbis') {
    const headers = readXiphHeaders(description);
    if (headers !== undefined) return openVorbis(headers.head, headers.setup, container);
  }
  if (codec === 'aac' && description.length > 0) return openAac(description, container);
  // In adts each frame has its own header.
  if (codec === 'aac') return openAdts(first);
  if (codec === 'mp3') return openMp3(first, container);
  if (codec === 'flac') return openFlac(description);
  const encoding = codec === null ? undefined : littleEndian[codec];
  if (encoding !== undefined) return openPcm(encoding, channels, sampleRate);
  const name = codec ?? String((await track.getInternalCodecId().catch(() => null)) ?? 'an unknown codec');
  throw unsupported(`${name} in ${container}`);
}

/** Sample formats of a wav file by mediabunny's names: format tag and bits. */
const littleEndian: Readonly<Record<string, PcmEncoding>> = {
  'pcm-u8': [1, 8],
  'pcm-s16': [1, 16],
  'pcm-s24': [1, 24],
  'pcm-s32': [1, 32],
  'pcm-f32': [3, 32],
  'pcm-f64': [3, 64],
  alaw: [6, 8],
  ulaw: [7, 8],
};

function bytesOf(data: AllowSharedBufferSource | undefined): Uint8Array {
  if (data === undefined) return new Uint8Array(0);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

/** The box of an mp4 or mov file that describes its tracks: mediabunny reads it, but not all of its edit lists. */
async function findMovie(file: SeekableBytes): Promise<Uint8Array> {
  for (let position = 0; position + 16 <= file.size; ) {
    const head = await file.read(position, position + 16);
    const view = viewOf(head);
    const short = view.getUint32(0);
    const size = short === 1 ? Number(view.getBigUint64(8)) : short === 0 ? file.size - position : short;
    if (hasText(head, 4, 'moov')) return file.read(position + 8, Math.min(file.size, position + size));
    if (size < 8) break;
    position += size;
  }
  return new Uint8Array(0);
}

/** The contents of the boxes of this name that lie side by side. */
function boxesIn(bytes: Uint8Array, name: string): Uint8Array[] {
  const boxes: Uint8Array[] = [];
  for (let position = 0, size = 8; position + 8 <= bytes.length && size >= 8; position += size) {
    size = viewOf(bytes).getUint32(position);
    if (hasText(bytes, position + 4, name)) boxes.push(bytes.subarray(position + 8, position + size));
  }
  return boxes;
}

/** The number after the two times of a header: the time scale of a movie, or the id of a track. */
function numberIn(header: Uint8Array | undefined): number | undefined {
  return header && viewOf(header).getUint32(header[0] === 1 ? 20 : 12);
}

/** Seconds at which the edit list of a track ends its sound; infinite without one. mediabunny applies its start. */
async function findEditEnd(file: SeekableBytes, trackId: number): Promise<number> {
  const movie = await findMovie(file);
  const [timescale = 1] = boxesIn(movie, 'mvhd').map(numberIn);
  const isOfTrack = (box: Uint8Array): boolean => numberIn(boxesIn(box, 'tkhd')[0]) === trackId;
  const lists = boxesIn(movie, 'trak')
    .filter(isOfTrack)
    .flatMap((box) => boxesIn(box, 'edts'));
  const [list] = lists.flatMap((box) => boxesIn(box, 'elst'));
  if (list === undefined) return Number.POSITIVE_INFINITY;
  const view = viewOf(list);
  const width = list[0] === 1 ? 8 : 4;
  const edits = Array.from({ length: view.getUint32(4) }, (_, index) => {
    const position = 8 + index * (2 * width + 4);
    const duration = width === 8 ? Number(view.getBigUint64(position)) : view.getUint32(position);
    const isEmpty = view.getInt32(position + width) === -1;
    return { duration, isEmpty, rate: view.getInt16(position + 2 * width) };
  });
  const [edit, ...others] = edits.filter(({ isEmpty }) => !isEmpty);
  if (others.length > 0 || (edit?.rate ?? 1) !== 1)
    throw unsupported('an mp4 or mov file whose edit list has several edits');
  // A duration of 0 means up to the end, as in a fragmented file.
  if (!edit?.duration) return Number.POSITIVE_INFINITY;
  return edits.reduce((sum, { duration }) => sum + duration, 0) / timescale;
}

/** Position where the segment of a Matroska file ends, if the file says so; 0 for other files. */
function segmentEnd(head: Uint8Array): number {
  const start = head.findIndex((_, position) => hasText(head, position, '\u0018S\u0080g')) + 4;
  const width = Math.clz32(head[start] ?? 0) - 23;
  if (!hasText(head, 0, '\u001aE\u00df\u00a3') || start < 4 || width > 8) return 0;
  const digits = head.subarray(start + 1, start + width);
  const first = (head[start] ?? 0) & (0xff >> width);
  // A size of all ones means a stream.
  if (first === 0xff >> width && digits.every((digit) => digit === 0xff)) return 0;
  return start + width + digits.reduce((size, digit) => size * 256 + digit, first);
}
