import { createMp3FrameWalker, type Mp3Frame } from '@speech-api/audio';
import { createChecksum, hasText, viewOf } from '../bytes.ts';
import { damaged, unsupported } from '../errors.ts';
import {
  channelsOf,
  type Packet,
  type PacketCodec,
  type Track,
  type TrackEvent,
  type TrackReader,
} from './track.ts';

/** Samples that every layer III decoder outputs before the first real one. */
const decoderDelaySamples = 529;
// Zeros and strange tags are common between frames; a file that is mostly something else is not mp3.
const tolerableJunkBytes = 1_000_000;
const maximumFrameBytes = 1441;
/** Maximum number of leading frames whose data may begin in missing frames; a reservoir has 511 bytes. */
const mostMissingFrames = 100;
const checksum = createChecksum(16, 0x8005);

/**
 * mp3 with any tags, constant or variable bitrate. Frames are counted, even if a header has a count. Where the sample rate
 * changes, another track begins.
 *
 * @param fileBytes - of the whole file, where that is known
 */
export function createMp3Reader(fileBytes = Number.POSITIVE_INFINITY): TrackReader {
  const walker = createMp3FrameWalker();
  let track: Track | undefined;
  let seconds = 0;
  let announced: Extent | undefined;
  const counted: Extent = { frames: 0, bytes: 0 };

  function events(frames: readonly Mp3Frame[]): TrackEvent[] {
    const list: TrackEvent[] = [];
    for (const frame of frames) {
      counted.bytes += frame.bytes.length;
      if (track?.sampleRate !== frame.sampleRate) {
        if (track !== undefined) list.push({ type: 'track-end', trimmedSamples: 0, isTruncated: false });
        const delay = frame.information?.delaySamples ?? 0;
        track = createMp3Track(frame, delay === 0 ? 0 : delay + decoderDelaySamples);
        announced = frame.information && readExtent(frame.bytes);
        list.push({
          type: 'track',
          track,
          breaksOffAfter: announced && breaksOffAfter(frame, announced, fileBytes),
        });
      }
      if (frame.information !== undefined) continue;
      counted.frames += 1;
      seconds += frame.samples / frame.sampleRate;
      list.push({ type: 'packet', packet: { bytes: frame.bytes, samples: frame.samples } });
    }
    if (walker.skippedBytes > tolerableJunkBytes) {
      if (track === undefined) throw noFrame();
      const junk = `${walker.skippedBytes} bytes belong to no frame of layer III`;
      throw damaged('mp3 file', `after ${seconds.toFixed(1)} s of audio, ${junk}`);
    }
    return list;
  }

  return {
    push: (piece) => events(walker.push(piece)),
    end() {
      const list = events(walker.end());
      if (track === undefined) throw noFrame();
      // Encoders count in their own way, so the file breaks off only if two frames and their bytes are missing.
      const { frames, bytes } = announced ?? counted;
      const isShort = counted.frames + 1 < frames && counted.bytes < bytes;
      const isTruncated = isShort || walker.endsInsideFrame;
      return [...list, { type: 'track-end', trimmedSamples: 0, isTruncated }];
    },
  };
}

const noFrame = () => unsupported('no mp3 file: there is no frame of layer III in it');

/** The frames of another container. @param first - the first of them */
export function openMp3(first: Uint8Array, container: string): PacketCodec {
  const frameOf = (packet: Uint8Array): Mp3Frame | undefined => {
    const walker = createMp3FrameWalker();
    const [first] = [...walker.push(packet), ...walker.end()];
    return first;
  };
  const frame = frameOf(first);
  if (frame === undefined) throw damaged(`${container} file`, 'a packet of its sound is none of its codec');
  return {
    track: createMp3Track(frame, 0),
    samplesOf(packet) {
      const next = frameOf(packet);
      if (next !== undefined && next.sampleRate !== frame.sampleRate)
        throw unsupported('mp3 that changes its sample rate');
      return next?.samples;
    },
    skipIsInHead: true,
  };
}

/** Seconds after which a file breaks off, if it is smaller than its information frame says; otherwise undefined. */
function breaksOffAfter(frame: Mp3Frame, { frames, bytes }: Extent, fileBytes: number): number | undefined {
  const isShort = fileBytes + 2 * maximumFrameBytes < bytes;
  return isShort ? (fileBytes / bytes) * frames * (frame.samples / frame.sampleRate) : undefined;
}

/** The frames and bytes of a file. */
interface Extent {
  frames: number;
  bytes: number;
}

/** The frames and bytes that an information frame announces, if it names both. */
function readExtent(frame: Uint8Array): Extent | undefined {
  const { start, size } = sideInformation(frame);
  const tag = start + size;
  if (frame.length < tag + 16 || !(hasText(frame, tag, 'Xing') || hasText(frame, tag, 'Info')))
    return undefined;
  const view = viewOf(frame);
  const hasBoth = (view.getUint32(tag + 4) & 3) === 3;
  return hasBoth ? { frames: view.getUint32(tag + 8), bytes: view.getUint32(tag + 12) } : undefined;
}

function createMp3Track(first: Mp3Frame, skippedSamples: number): Track {
  return {
    description: `mp3 (${channelsOf(first.channels)}, ${first.sampleRate} Hz)`,
    extension: 'mp3',
    mediaType: 'audio/mpeg',
    sampleRate: first.sampleRate,
    skippedSamples,
    warmUpSeconds: 0.16,
    // A decoder outputs the end of a frame only with the next one.
    tailPackets: 2,
    headerBytes: 0,
    packetOverhead: () => 0,
    silence: { bytes: silenced(first.bytes), samples: first.samples },
    // Without an information frame every decoder starts at the first sample of the first frame.
    write: withoutMissingReservoir,
    plainAfter: mostMissingFrames,
    startJoined: () => ({ writer: { write: ({ bytes }) => [bytes], end: () => [] }, skippedSamples: 0 }),
    decode: async (file) => {
      const { MPEGDecoder } = await import('mpg123-decoder');
      const decoder = new MPEGDecoder();
      await decoder.ready;
      try {
        const { channelData, sampleRate } = decoder.decode(file);
        return { channels: channelData, sampleRate };
      } finally {
        decoder.free();
      }
    },
  };
}

/**
 * A frame may hold its data in the frames before it. Decoders drop a frame whose data is missing, some with its time and
 * some without, so such frames at the start become silent ones, whose bytes still serve the frames after them.
 */
function withoutMissingReservoir(packets: readonly Packet[]): Uint8Array[] {
  const frames = packets.map(({ bytes }) => bytes);
  let reservoir = 0;
  for (const [index, frame] of frames.entries()) {
    const { start, size, isVersion1 } = sideInformation(frame);
    const reach = isVersion1 ? viewOf(frame).getUint16(start) >> 7 : (frame[start] ?? 0);
    if (reach <= reservoir) break;
    reservoir += frame.length - start - size;
    frames[index] = silenced(frame);
  }
  return frames;
}

function silenced(frame: Uint8Array): Uint8Array {
  const { start, size, hasChecksum } = sideInformation(frame);
  const silent = frame.slice();
  silent.fill(0, start, start + size);
  if (hasChecksum) {
    const value = checksum(silent, start, start + size, checksum(silent, 2, 4, 0xffff));
    viewOf(silent).setUint16(4, value);
  }
  return silent;
}

/** Place of the side information in a layer III frame. */
function sideInformation(frame: Uint8Array) {
  const isVersion1 = ((frame[1] ?? 0) & 0x18) === 0x18;
  const hasChecksum = ((frame[1] ?? 0) & 1) === 0;
  const isMono = (frame[3] ?? 0) >> 6 === 3;
  const size = isVersion1 ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  return { start: hasChecksum ? 6 : 4, size, isVersion1, hasChecksum };
}
