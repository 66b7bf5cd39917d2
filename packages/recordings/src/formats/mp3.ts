import {
  createMp3FrameWalker,
  type Mp3Frame,
  type Mp3Information,
  readMp3Reservoir,
  silenceMp3Frame,
} from '@speech-api/audio';
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
  let announced: Mp3Information['extent'];
  const counted = { frames: 0, bytes: 0 };

  function events(frames: readonly Mp3Frame[]): TrackEvent[] {
    const list: TrackEvent[] = [];
    for (const frame of frames) {
      counted.bytes += frame.bytes.length;
      if (track?.sampleRate !== frame.sampleRate) {
        if (track !== undefined) list.push({ type: 'track-end', trimmedSamples: 0, isTruncated: false });
        const delay = frame.information?.delaySamples ?? 0;
        track = createMp3Track(frame, delay === 0 ? 0 : delay + decoderDelaySamples);
        announced = frame.information?.extent;
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
function breaksOffAfter(
  frame: Mp3Frame,
  { frames, bytes }: NonNullable<Mp3Information['extent']>,
  fileBytes: number,
): number | undefined {
  const isShort = fileBytes + 2 * maximumFrameBytes < bytes;
  return isShort ? (fileBytes / bytes) * frames * (frame.samples / frame.sampleRate) : undefined;
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
    silence: { bytes: silenceMp3Frame(first.bytes), samples: first.samples },
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
    const { reachBytes, roomBytes } = readMp3Reservoir(frame);
    if (reachBytes <= reservoir) break;
    reservoir += roomBytes;
    frames[index] = silenceMp3Frame(frame);
  }
  return frames;
}
