import type { EncodedPacket, EncodedPacketSink, Input, InputAudioTrack, Source } from 'mediabunny';
import { hasText, joinBytes } from '../bytes.ts';
import { AudioFormatError } from '../errors.ts';
import { type EditList, readMovie, type SeekableBytes } from './edit-list.ts';
import { createFlacFrames } from './flac.ts';

/** The containers that are read here. */
export type DemuxedContainer = 'flac' | 'adts' | 'mp4' | 'webm' | 'ogg';

/** A packet of sound. Times are seconds of the file; below 0 is what an edit list leaves out at the start. */
export type ContainerPacket = Pick<EncodedPacket, 'data' | 'timestamp' | 'duration'>;

/** One track of sound. */
export interface ContainerTrack extends EditList {
  /** Such as `aac`, `pcm-s16`; for codecs that mediabunny does not know, the name that the file has for it. */
  readonly codec: string;
  /** Hz; 0 if the codec is not known. */
  readonly sampleRate: number;
  readonly channels: number;
  /** What the codec needs before the first packet. */
  readonly description: Uint8Array;
  /**
   * The packets in order. mediabunny throws an error of its own for a damaged file, and what `read` throws is thrown.
   *
   * @param withoutData - to learn the times only
   */
  packets(withoutData?: boolean): AsyncGenerator<ContainerPacket, void, undefined>;
  /** After the last packet: whether the file breaks off. */
  breaksOff(): Promise<boolean>;
}

/** An open file. */
export interface OpenContainer {
  /** None for a film without sound. */
  readonly tracks: readonly ContainerTrack[];
  close(): void;
}

/** mediabunny misses a last flac frame of less than 16 bytes. These padding bytes form no frame. */
const padding = new Uint8Array(16).fill(0x55);
/** Maximum bytes of tags after the last frame of an adts file. */
const maximumTagBytes = 4096;

/**
 * The tracks of sound of an mp4, mov, webm, Matroska, flac, Ogg or AAC (adts) file; pictures are left out. mediabunny reads the
 * container, and is loaded for it.
 *
 * @throws AudioFormatError for a file without any track, and what `read` throws
 */
export async function openContainer(
  container: DemuxedContainer,
  file: SeekableBytes,
): Promise<OpenContainer> {
  const { Logging, LogLevel, Input, MP4, QTFF, MATROSKA, WEBM, OGG, FLAC, ADTS } = await import('mediabunny');
  // What it would print is in our errors.
  Logging.level = LogLevel.Silent;
  let failure: unknown;
  const source = await openSource(file, container === 'flac' ? padding : new Uint8Array(0), (error) => {
    failure ??= error;
  });
  const input = new Input({ source, formats: [MP4, QTFF, WEBM, MATROSKA, OGG, FLAC, ADTS] });
  // If the source cannot be read, the container is not to blame.
  const explain = (error: unknown, seconds = 0): unknown => failure ?? asFormatError(error, seconds);
  try {
    return { close: () => input.dispose(), tracks: await readTracks(input, container, file, explain) };
  } catch (error) {
    input.dispose();
    throw explain(error);
  }
}

/** mediabunny's errors have no type of their own. */
function asFormatError(error: unknown, seconds: number): unknown {
  if (!(error instanceof Error) || AudioFormatError.isInstance(error)) return error;
  const reason = error.message.replace(/\.$/, '');
  const isUnsupported = /not supported|unsupported|encrypted/i.test(reason);
  return new AudioFormatError(
    `This file cannot be read after ${seconds.toFixed(1)} s: ${reason}.`,
    isUnsupported ? 'unsupported' : 'not-recognised',
  );
}

/** @param onFailure - Gets the error of a source that cannot be read. */
async function openSource(
  file: SeekableBytes,
  tail: Uint8Array,
  onFailure: (error: unknown) => void,
): Promise<Source> {
  const { CustomSource } = await import('mediabunny');
  const { size } = file;
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    try {
      const bytes = start < size ? await file.read(start, Math.min(end, size)) : new Uint8Array(0);
      return end > size ? joinBytes([bytes, tail.subarray(Math.max(0, start - size), end - size)]) : bytes;
    } catch (error) {
      onFailure(error);
      throw error;
    }
  };
  const getSize = (): number => size + tail.length;
  // An error without a pending read would end the process; the next packet reports it again.
  return new CustomSource({ getSize, read, prefetchProfile: 'fileSystem', handleUnhandledError: onFailure });
}

type Explain = (error: unknown, seconds: number) => unknown;

async function readTracks(
  input: Input,
  container: DemuxedContainer,
  file: SeekableBytes,
  explain: Explain,
): Promise<ContainerTrack[]> {
  const movie = await readMovie(container === 'mp4' ? file : { size: 0, read: file.read });
  const sounds = await input.getAudioTracks();
  if (sounds.length > 0)
    return Promise.all(
      sounds.map((sound) => openTrack(sound, container, file, movie.editListOf(sound.id), explain)),
    );
  if ((await input.getTracks()).length > 0) return [];
  const isWithoutIndex = container === 'mp4' && !movie.isThere;
  const what = isWithoutIndex ? 'has no index, which a recorder writes when it stops' : 'holds no track';
  throw new AudioFormatError(`This file ${what}.`, isWithoutIndex ? 'incomplete' : 'not-recognised');
}

async function openTrack(
  track: InputAudioTrack,
  container: DemuxedContainer,
  file: SeekableBytes,
  editList: EditList,
  explain: Explain,
): Promise<ContainerTrack> {
  const { EncodedPacketSink } = await import('mediabunny');
  const sink = new EncodedPacketSink(track);
  const config = await track.getDecoderConfig().catch(() => null);
  const codec = (await track.getCodec()) ?? (await track.getInternalCodecId().catch(() => null));
  let isBroken = false;
  let lastTime = 0;
  let dataBytes = 0;
  return {
    ...editList,
    codec: String(codec ?? 'an unknown codec'),
    sampleRate: config?.sampleRate ?? (await track.getSampleRate().catch(() => 0)),
    channels: config?.numberOfChannels ?? (await track.getNumberOfChannels().catch(() => 0)),
    description: bytesOf(config?.description),
    async *packets(withoutData = false) {
      const frameOf = container === 'flac' && !withoutData ? createFlacFrames() : undefined;
      try {
        for await (const packet of sink.packets(undefined, undefined, { metadataOnly: withoutData })) {
          const data = frameOf === undefined ? packet.data : frameOf(packet.data);
          isBroken = data === undefined;
          if (data === undefined) return;
          lastTime = packet.timestamp;
          dataBytes += data.length;
          yield { data, timestamp: packet.timestamp, duration: packet.duration };
        }
      } catch (error) {
        throw explain(error, lastTime);
      }
    },
    async breaksOff() {
      if (container === 'flac') return isBroken;
      return container === 'adts' ? endsEarly(file, dataBytes) : endsBefore(file, sink, lastTime);
    },
  };
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

function bytesOf(data: AllowSharedBufferSource | undefined): Uint8Array {
  if (data === undefined) return new Uint8Array(0);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
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
