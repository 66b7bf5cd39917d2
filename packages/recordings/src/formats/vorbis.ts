import { hasText, joinBytes, viewOf, writeOggComments } from '@speech-api/audio';
import { damaged } from '../errors.ts';
import { oggTrack, vendor, writeOgg } from './ogg-parts.ts';
import { channelsOf, type PacketCodec } from './track.ts';

/** Opens Vorbis from any container. Its parts become Ogg files. They are cut without regard to pauses, because it is not decoded here. */
export function openVorbis(head: Uint8Array, setup: Uint8Array, container: string): PacketCodec {
  if (head.length < 30 || !hasText(head, 0, '\u0001vorbis') || !hasText(setup, 0, '\u0005vorbis'))
    throw damaged(`${container} file`, 'the headers of its Vorbis are not those of Vorbis');
  const view = viewOf(head);
  const [channels, sampleRate] = [view.getUint8(11), view.getUint32(12, true)];
  const blockSizes = view.getUint8(28);
  const [shortBlock, longBlock] = [2 ** (blockSizes & 15), 2 ** (blockSizes >> 4)];
  if (channels === 0 || sampleRate === 0)
    throw damaged(`${container} file`, 'the head of its Vorbis names no sound');
  const isLong = readModes(setup);
  if (isLong === undefined) throw damaged(`${container} file`, 'the modes of its Vorbis cannot be read');
  const modeBits = 32 - Math.clz32(isLong.length - 1);
  // This header ends with a set bit.
  const comments = joinBytes([writeOggComments('\u0003vorbis', vendor), Uint8Array.of(1)]);
  let before: number | undefined;
  return {
    skipIsInHead: false,
    samplesOf(packet) {
      const [first = 1] = packet;
      // An empty packet is allowed, and a packet with an odd first byte is a header.
      if (packet.length === 0) return 0;
      const hasLongBlock = isLong[(first >> 1) & (2 ** modeBits - 1)];
      if ((first & 1) === 1 || hasLongBlock === undefined) return undefined;
      const size = hasLongBlock ? longBlock : shortBlock;
      // Two blocks overlap by half; the first block outputs nothing alone.
      const samples = before === undefined ? 0 : (before + size) / 4;
      before = size;
      return samples;
    },
    track: {
      description: `${container} Vorbis (${channelsOf(channels)}, ${sampleRate} Hz)`,
      ...oggTrack,
      sampleRate,
      skippedSamples: 0,
      firstPacketIsMute: true,
      headerBytes: 3 * 28 + head.length + setup.length + Math.ceil(setup.length / 255) + 64,
      write: (packets) => writeOgg([head, comments, setup], packets, true),
    },
  };
}

/** The three headers in Matroska's form, with their lengths first in steps of 255. */
export function readXiphHeaders(
  description: Uint8Array,
): { head: Uint8Array; setup: Uint8Array } | undefined {
  if (description[0] !== 2) return undefined;
  const sizes = [0, 0];
  let position = 1;
  for (const index of sizes.keys()) {
    let step = 255;
    while (step === 255 && position < description.length) {
      step = description[position] ?? 0;
      sizes[index] = (sizes[index] ?? 0) + step;
      position += 1;
    }
  }
  const [head = 0, comment = 0] = sizes;
  return {
    head: description.slice(position, position + head),
    setup: description.slice(position + head + comment),
  };
}

/**
 * For each mode, true if it has long blocks. The modes are at the end of the setup, behind books of unknown
 * length, so they are read backwards: each is 41 bits, of which 32 are zero, and their number precedes the
 * first.
 */
function readModes(setup: Uint8Array): boolean[] | undefined {
  const modeSize = 41;
  let end = setup.length * 8;
  const bits = (position: number, count: number): number => {
    let value = 0;
    for (let bit = 0; bit < count; bit++) {
      const place = position + bit;
      value |= (((setup[place >> 3] ?? 0) >> (place & 7)) & 1) << bit;
    }
    return value >>> 0;
  };
  while (end > 0 && bits(end - 1, 1) === 0) end -= 1;
  // The last bit that is set ends the header.
  end -= 1;
  let isLong: boolean[] | undefined;
  const modes: boolean[] = [];
  while (modes.length < 64 && end - modeSize >= 7 * 8 + 6) {
    const start = end - modeSize;
    if (bits(start + 1, 32) !== 0 || bits(start + 33, 8) > 63) break;
    modes.unshift(bits(start, 1) === 1);
    end = start;
    if (bits(start - 6, 6) === modes.length - 1) isLong = [...modes];
  }
  return isLong;
}
