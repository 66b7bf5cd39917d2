import { createEncoder } from 'libopus-wasm';
import { createMp3Encoder } from 'wasm-media-encoders';
import { ascii, createChecksum, join, viewOf } from '../bytes.ts';

/** Noise in which no two places are alike, the same in every run. */
export function noise(length: number, seed = 1): Float32Array<ArrayBuffer> {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32 - 0.5) * 0.6;
  });
}

/** A 16-bit wav file of one channel. */
export function wavFile(sound: Float32Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(44 + 2 * sound.length);
  const view = viewOf(bytes);
  bytes.set(ascii('RIFF'));
  view.setUint32(4, bytes.length - 8, true);
  bytes.set(ascii('WAVEfmt '), 8);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, 2 * sampleRate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  bytes.set(ascii('data'), 36);
  view.setUint32(40, 2 * sound.length, true);
  for (const [index, sample] of sound.entries())
    view.setInt16(44 + 2 * index, Math.round(sample * 32_767), true);
  return bytes;
}

/** An mp3 file of one channel at 44.1 kHz, without any tag. */
export async function mp3File(sound: Float32Array): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate: 44_100, channels: 1, bitrate: 64 });
  const body = encoder.encode([sound]).slice();
  return join([body, encoder.finalize().slice()]);
}

/** A frame of AAC in which nothing is said. */
export const silentAac = Uint8Array.of(0x01, 0x18, 0x20, 0x07);

/** An adts file of silence at 44.1 kHz, 1024 samples a frame. */
export function adtsFile(frames: number): Uint8Array<ArrayBuffer> {
  const frame = [0xff, 0xf1, 0x50, 0x40, 0x01, 0x7f, 0xfc, ...silentAac];
  return join(Array.from({ length: frames }, () => Uint8Array.from(frame)));
}

const checksum = createChecksum(32, 0x04c1_1db7);

/** An Ogg Opus file of one channel at 48 kHz, five packets a page. */
export async function opusFile(sound: Float32Array): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = await createEncoder({ channels: 1, sampleRate: 48_000 });
  const preSkip = 312;
  const packets: Uint8Array[] = [];
  for (let start = 0; start < sound.length + preSkip; start += 960) {
    const frame = new Float32Array(960);
    frame.set(sound.subarray(start, start + 960));
    packets.push(encoder.encodeFloat(frame).slice());
  }
  encoder.free();
  const head = new Uint8Array(19);
  head.set(ascii('OpusHead'));
  head.set([1, 1], 8);
  viewOf(head).setUint16(10, preSkip, true);
  viewOf(head).setUint32(12, 48_000, true);
  const pages = [
    page([head], 0, 0, 2),
    page([new Uint8Array([...ascii('OpusTags'), 0, 0, 0, 0, 0, 0, 0, 0])], 0, 1, 0),
  ];
  for (let start = 0; start < packets.length; start += 5) {
    const isLast = start + 5 >= packets.length;
    const granule = isLast ? sound.length + preSkip : (start + 5) * 960;
    pages.push(page(packets.slice(start, start + 5), granule, pages.length, isLast ? 4 : 0));
  }
  return join(pages);
}

/** A page of whole packets, with a right checksum. */
export function page(
  packets: readonly Uint8Array[],
  granule: number,
  sequence: number,
  flags: number,
): Uint8Array {
  const lacing = packets.flatMap(({ length }) => [
    ...new Array<number>(Math.floor(length / 255)).fill(255),
    length % 255,
  ]);
  const bytes = join([new Uint8Array(27), Uint8Array.from(lacing), ...packets]);
  const view = viewOf(bytes);
  bytes.set(ascii('OggS'));
  bytes[5] = flags;
  view.setBigInt64(6, BigInt(granule), true);
  view.setUint32(14, 9, true);
  view.setUint32(18, sequence, true);
  bytes[26] = lacing.length;
  view.setUint32(22, checksum(bytes), true);
  return bytes;
}
