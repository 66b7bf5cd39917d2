import { ByteQueue, viewOf } from '../bytes.ts';
import { RecordingError } from '../errors.ts';
import { type AacFormat, writeM4a } from './m4a.ts';
import type { Packet, Track, TrackEvent, TrackReader } from './track.ts';

// The time that an encoder's window and its bit reservoir reach back, with a margin.
const warmUpSeconds = 0.16;
const rates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];
const headerBytes = 7;
/** As for mp3: a file that is mostly something else is not AAC. */
const tolerableJunkBytes = 1_000_000;
/** Frames of AAC-LC in which every value is zero, for one and for two channels. */
const silentFrames = [
  [0x01, 0x18, 0x20, 0x07],
  [0x21, 0x10, 0x04, 0x60, 0x8c, 0x1c],
].map((bytes) => Uint8Array.from(bytes));

function silenceOf({ configuration, channels, frameSamples }: AacFormat): { silence?: Packet } {
  const isLowComplexity = (configuration[0] ?? 0) >> 3 === 2;
  const bytes = isLowComplexity ? silentFrames[channels - 1] : undefined;
  return bytes === undefined ? {} : { silence: { bytes, samples: frameSamples } };
}

/** AAC out of an mp4 or a Matroska file; its parts are m4a files. */
export function createAacTrack(format: AacFormat, container: string): Track {
  return {
    ...commonOf(format, container),
    extension: 'm4a',
    mediaType: 'audio/mp4',
    headerBytes: 1024 + format.configuration.length,
    // Its length, and a share of the place of its chunk.
    packetOverhead: () => 5,
    write: (packets) => writeM4a(format, packets),
  };
}

function commonOf(format: AacFormat, container: string) {
  return {
    description: `${container} (AAC, ${format.channels} channels, ${format.sampleRate} Hz)`,
    sampleRate: format.sampleRate,
    skippedSamples: 0,
    warmUpSeconds,
    // A frame overlaps with the next one.
    tailPackets: 1,
    ...silenceOf(format),
  };
}

interface AdtsHeader {
  /** The bits that all frames of a stream have in common. */
  readonly fixed: number;
  readonly bytes: number;
  readonly samples: number;
}

/** AAC without a container: each frame has a header of its own. */
export function createAdtsReader(): TrackReader {
  const queue = new ByteQueue();
  let fixed: number | undefined;
  let rate = 1;
  let samples = 0;
  let skippedBytes = 0;

  function read(isEnd: boolean): TrackEvent[] {
    const events: TrackEvent[] = [];
    for (;;) {
      const bytes = queue.peek();
      if (bytes.length < headerBytes) break;
      const header = readAdtsHeader(bytes, 0);
      // A chance match is not followed by another header.
      const next =
        header && bytes.length >= header.bytes + headerBytes
          ? readAdtsHeader(bytes, header.bytes)
          : undefined;
      if (header && bytes.length < header.bytes + headerBytes && !isEnd) break;
      const isLast = header !== undefined && isEnd && bytes.length < header.bytes + headerBytes;
      if (header === undefined || (next === undefined && !isLast)) {
        skip(1);
        continue;
      }
      if (isLast && bytes.length < header.bytes) break;
      if (fixed === undefined) {
        const track = createAdtsTrack(bytes);
        fixed = header.fixed;
        rate = track.sampleRate;
        events.push({ type: 'track', track });
      } else if (header.fixed !== fixed) {
        throw new RecordingError(
          `This AAC stream (adts) changes its format after ${(samples / rate).toFixed(1)} s, which cannot be cut here. Convert it: ffmpeg -i in.aac -c:a libopus out.ogg`,
          'unsupported',
        );
      }
      events.push({ type: 'packet', packet: { bytes: queue.take(header.bytes), samples: header.samples } });
      samples += header.samples;
    }
    return events;
  }

  function skip(count: number): void {
    queue.take(count);
    skippedBytes += count;
    if (skippedBytes <= tolerableJunkBytes) return;
    throw new RecordingError(
      `This AAC stream (adts) is damaged: after ${(samples / rate).toFixed(1)} s of audio, ${skippedBytes} bytes belong to no frame.`,
      'damaged',
    );
  }

  return {
    push(piece) {
      queue.push(piece);
      return read(false);
    },
    end() {
      const events = read(true);
      if (samples === 0 && !events.some(({ type }) => type === 'packet'))
        throw new RecordingError('This AAC stream (adts) holds no whole frame.', 'damaged');
      const isTruncated = queue.peek()[0] === 0xff;
      return [...events, { type: 'track-end', trimmedSamples: 0, isTruncated }];
    },
  };
}

/** @returns undefined where no frame begins */
function readAdtsHeader(bytes: Uint8Array, start: number): AdtsHeader | undefined {
  if (start + headerBytes > bytes.length) return undefined;
  const view = viewOf(bytes.subarray(start, start + headerBytes));
  const first = view.getUint32(0);
  const size = ((first & 3) << 11) | (view.getUint16(4) >> 5);
  const isSync = first >>> 20 === 0xfff && (first & 0x6_0000) === 0;
  const rate = rates[(first >> 10) & 15];
  if (!isSync || rate === undefined || size <= headerBytes) return undefined;
  // The sync word, the profile, the rate and the channels; not whether there is a checksum.
  const fixed = (first & 0xfffe_fdc0) >>> 0;
  return { fixed, bytes: size, samples: 1024 * ((view.getUint8(6) & 3) + 1) };
}

function createAdtsTrack(frame: Uint8Array): Track {
  const first = viewOf(frame).getUint32(0);
  const [profile, rateIndex, channels] = [((first >> 14) & 3) + 1, (first >> 10) & 15, (first >> 6) & 7];
  const configuration = Uint8Array.of(
    (profile << 3) | (rateIndex >> 1),
    ((rateIndex & 1) << 7) | (channels << 3),
  );
  const format = { configuration, sampleRate: rates[rateIndex] ?? 0, channels, frameSamples: 1024 };
  const { silence, ...common } = commonOf(format, 'adts');
  return {
    ...common,
    extension: 'aac',
    mediaType: 'audio/aac',
    headerBytes: 0,
    packetOverhead: () => 0,
    write: (packets) => packets.map(({ bytes }) => bytes),
    ...(silence === undefined ? {} : { silence: { ...silence, bytes: frameOf(frame, silence.bytes) } }),
  };
}

/** A frame with the header of another one, without its checksum. */
function frameOf(header: Uint8Array, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(headerBytes + data.length);
  bytes.set(header.subarray(0, headerBytes));
  bytes.set(data, headerBytes);
  const view = viewOf(bytes);
  view.setUint8(1, view.getUint8(1) | 1);
  view.setUint8(3, (view.getUint8(3) & 0xfc) | (bytes.length >> 11));
  view.setUint16(4, ((bytes.length & 0x7ff) << 5) | 0x1f);
  view.setUint8(6, 0xfc);
  return bytes;
}
