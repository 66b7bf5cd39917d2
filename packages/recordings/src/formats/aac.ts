import { adtsHeaderOf, readAdtsHeader, writeAdtsFrame } from '@speech-api/audio/containers';
import { damaged, unsupported } from '../errors.ts';
import { channelsOf, type PacketCodec, type Track } from './track.ts';

/** Silent frames of AAC-LC for one and for two channels. */
const silentFrames = [
  [0x01, 0x18, 0x20, 0x07],
  [0x21, 0x10, 0x04, 0x60, 0x8c, 0x1c],
].map((bytes) => Uint8Array.from(bytes));

/** AAC out of an mp4 or a Matroska file. Its parts are adts files: each frame gets a header. */
export function openAac(configuration: Uint8Array, container: string): PacketCodec {
  const header = adtsHeaderOf(configuration);
  const { track, samples } = openTrack(header, container);
  return {
    track,
    frame: (packet) => writeAdtsFrame(header, packet),
    samplesOf: (packet) => (packet.length === 0 ? undefined : samples),
    skipIsInHead: true,
  };
}

/** Frames that each have a header. @param first - the first of them */
export function openAdts(first: Uint8Array): PacketCodec {
  const { track, fixed } = openTrack(first, 'adts');
  return {
    track,
    samplesOf(frame) {
      const header = readAdtsHeader(frame);
      if (header !== undefined && header.fixed !== fixed) throw unsupported('AAC that changes its format');
      return header?.samples;
    },
    skipIsInHead: true,
  };
}

function openTrack(frame: Uint8Array, container: string) {
  const header = readAdtsHeader(frame);
  if (header === undefined) throw damaged(`${container} file`, 'a packet of its sound is none of its codec');
  const { objectType, channels, sampleRate, fixed, samples } = header;
  const silent = objectType === 2 ? silentFrames[channels - 1] : undefined;
  const track: Track = {
    description: `${container} (AAC, ${channelsOf(channels)}, ${sampleRate} Hz)`,
    extension: 'aac',
    mediaType: 'audio/aac',
    sampleRate,
    skippedSamples: 0,
    // The time that an encoder's window and bit reservoir reach back, with a margin.
    warmUpSeconds: 0.16,
    // Each frame overlaps the next one.
    tailPackets: 1,
    headerBytes: 0,
    packetOverhead: () => 0,
    write: (packets) => packets.map(({ bytes }) => bytes),
    ...(silent && { silence: { bytes: writeAdtsFrame(frame, silent), samples } }),
  };
  return { track, fixed, samples };
}
