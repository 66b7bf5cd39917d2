import { createEncoder as createOpusEncoder } from 'libopus-wasm';
import { createMp3Encoder } from 'wasm-media-encoders';
import { checkSumOf } from '../audio/opus.ts';

export { wavOf } from '../audio/wav.ts';

/** A tone of 220 Hz that swells and fades, so that neither end clicks. */
function samplesOf(seconds: number, sampleRate: number, loudness = 0.5): Int16Array {
  const count = Math.round(seconds * sampleRate);
  return Int16Array.from({ length: count }, (_, index) => {
    const envelope = Math.sin((Math.PI * index) / count);
    return Math.round(32_767 * loudness * envelope * Math.sin((2 * Math.PI * 220 * index) / sampleRate));
  });
}

export function pcmOf(seconds: number, sampleRate: number, loudness = 0.5): Uint8Array {
  return bytesOf(samplesOf(seconds, sampleRate, loudness));
}

export async function mp3Of(
  seconds: number,
  sampleRate: 32000 | 44100,
  kbps: 64 | 128 | 192,
  channels: 1 | 2 = 1,
) {
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate, channels, bitrate: kbps });
  const samples = Float32Array.from(samplesOf(seconds, sampleRate), (sample) => sample / 32_768);
  const begin = Buffer.from(encoder.encode(channels === 1 ? [samples] : [samples, samples]));
  return Buffer.concat([begin, encoder.finalize()]);
}

export async function opusOf(
  seconds: number,
  bitrate = 32_000,
  channels: 1 | 2 = 1,
  loudness = 0.5,
  isEndMarked = true,
): Promise<Uint8Array> {
  const encoder = await createOpusEncoder({ channels: 1, sampleRate: 48_000, bitrate });
  const samples = samplesOf(seconds, 48_000, loudness);
  const packets: Uint8Array[] = [];
  for (let start = 0; start < samples.length; start += 960) {
    const frame = new Int16Array(960);
    frame.set(samples.subarray(start, start + 960));
    packets.push(encoder.encode(frame));
  }
  encoder.free();
  return writeOgg(packets, samples.length, channels, isEndMarked ? 4 : 0);
}

/** Swaps the two bytes of each sample. */
export function swapped(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(bytes, (_, index) => bytes[index ^ 1] ?? 0);
}

/** Writes each sample twice, as two channels. */
export function paired(bytes: Uint8Array): Uint8Array {
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  return bytesOf(Int16Array.from({ length: samples.length * 2 }, (_, index) => samples[index >> 1] ?? 0));
}

function bytesOf(samples: Int16Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}

const preSkip = 312;

/** Opus packets of 20 ms as one Ogg file (RFC 7845), ten packets a page. */
function writeOgg(
  packets: readonly Uint8Array[],
  samples: number,
  channels: number,
  lastFlags: number,
): Uint8Array {
  const head = Buffer.alloc(19);
  head.write('OpusHead\u0001');
  head[9] = channels;
  head.writeUInt16LE(preSkip, 10);
  head.writeUInt32LE(48_000, 12);
  const tags = Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)]);
  const pages = [writePage([head], 0, 0n, 2), writePage([tags], 1, 0n, 0)];
  for (let start = 0; start < packets.length; start += 10) {
    const group = packets.slice(start, start + 10);
    const isLast = start + 10 >= packets.length;
    const granule = isLast ? samples : (start + group.length) * 960;
    pages.push(writePage(group, pages.length, BigInt(granule), isLast ? lastFlags : 0));
  }
  return Buffer.concat(pages);
}

function writePage(
  packets: readonly Uint8Array[],
  number: number,
  granule: bigint,
  flags: number,
): Uint8Array {
  const lacing = packets.flatMap(({ length }) => [
    ...Array<number>(Math.floor(length / 255)).fill(255),
    length % 255,
  ]);
  const page = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(23), Buffer.from(lacing), ...packets]);
  page[5] = flags;
  page.writeBigInt64LE(granule, 6);
  page.writeUInt32LE(7, 14);
  page.writeUInt32LE(number, 18);
  page[26] = lacing.length;
  page.writeUInt32LE(checkSumOf(page), 22);
  return page;
}
