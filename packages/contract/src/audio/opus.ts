import { createDecoder } from 'libopus-wasm';
import { type AudioFacts, type AudioFlaw, Heard } from './audio-facts.ts';

/** Hz: what every Opus decoder plays at, and what the format counts in. */
const clockRate = 48_000;

/** Walks over all pages and has every packet decoded. */
export async function inspectOpus(bytes: Uint8Array): Promise<AudioFacts> {
  const { packets, lastGranule, damage, cut } = readOggPages(bytes);
  const [head, tags, ...audio] = packets;
  const flaws: AudioFlaw[] = [...damage];
  if (nameOf(head) !== 'OpusHead') flaws.push({ message: 'the first packet is not OpusHead', byte: 0 });
  if (nameOf(tags) !== 'OpusTags') flaws.push({ message: 'the second packet is not OpusTags', byte: 0 });
  const channels = head?.[9] ?? 0;
  const preSkip = (head?.[10] ?? 0) | ((head?.[11] ?? 0) << 8);
  const meter = new Heard();
  const decoder = await createDecoder({ channels: 1, sampleRate: clockRate });
  for (const [index, packet] of audio.entries()) {
    try {
      meter.add(decoder.decodeFloat(packet));
    } catch {
      flaws.push({ message: `the decoder refuses packet ${index}`, byte: 0 });
    }
  }
  decoder.free();
  // The container takes off what filled up the last packet; it can't add sound that is not there.
  const stated = Math.max(0, Number(lastGranule) - preSkip);
  const decoded = Math.max(0, meter.samples - preSkip);
  if (stated > decoded)
    flaws.push({ message: `its pages count ${stated} samples, its packets have ${decoded}`, byte: 0 });
  const samples = Math.min(stated, decoded);
  const seconds = samples / clockRate;
  const packetBytes = audio.reduce((sum, packet) => sum + packet.length, 0);
  return {
    format: 'opus',
    described: 'opus',
    sampleRate: clockRate,
    channels,
    samples,
    seconds,
    peak: meter.peak,
    ...(seconds > 0 && { bitsPerSecond: (packetBytes * 8) / seconds }),
    damage: flaws,
    ...(cut !== undefined && { cut }),
    fingerprint: meter.fingerprint,
  };
}

function nameOf(packet: Uint8Array | undefined): string {
  return Buffer.from(packet?.subarray(0, 8) ?? []).toString('latin1');
}

/** The packets of the one stream in an Ogg file, and what is wrong with its pages. */
interface OggStream {
  readonly packets: readonly Uint8Array[];
  /** Samples by the count of the last page. */
  readonly lastGranule: bigint;
  readonly damage: readonly AudioFlaw[];
  readonly cut?: AudioFlaw;
}

const headBytes = 27;

/** Walks over every page: check sums, numbers, and whether the last one is called so. */
function readOggPages(bytes: Uint8Array): OggStream {
  const packets: Uint8Array[] = [];
  const damage: AudioFlaw[] = [];
  let open: Uint8Array[] = [];
  let lastGranule = 0n;
  let number = 0;
  let serial: number | undefined;
  let isEnded = false;
  let position = 0;
  while (position < bytes.length) {
    const view = new DataView(bytes.buffer, bytes.byteOffset + position, bytes.length - position);
    const segments = view.byteLength > headBytes ? view.getUint8(26) : 0;
    const lacing = bytes.subarray(position + headBytes, position + headBytes + segments);
    const pageBytes = headBytes + segments + lacing.reduce((sum, size) => sum + size, 0);
    if (view.byteLength >= 4 && view.getUint32(0) !== 0x4f676753) {
      const next = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf('OggS', position + 1);
      const end = next < 0 ? bytes.length : next;
      damage.push({ message: `${end - position} bytes outside of pages`, byte: position });
      position = end;
      continue;
    }
    if (view.byteLength <= headBytes || lacing.length < segments || pageBytes > view.byteLength) {
      const message = `the last page breaks off after ${view.byteLength} bytes`;
      return { packets, lastGranule, damage, cut: { message, byte: position } };
    }
    const page = bytes.subarray(position, position + pageBytes);
    if (view.getUint32(22, true) !== checkSumOf(page))
      damage.push({ message: 'the checksum of a page is wrong', byte: position });
    serial ??= view.getUint32(14, true);
    if (isEnded || view.getUint32(14, true) !== serial) {
      damage.push({ message: 'another stream begins after the first one', byte: position });
      break;
    }
    const sequence = view.getUint32(18, true);
    if (sequence !== number)
      damage.push({ message: `found page ${sequence} in place of page ${number}`, byte: position });
    number = sequence + 1;
    const granule = view.getBigInt64(6, true);
    if (granule >= 0n) lastGranule = granule;
    isEnded = (view.getUint8(5) & 4) !== 0;
    let start = headBytes + segments;
    for (const size of lacing) {
      open.push(page.subarray(start, start + size));
      start += size;
      if (size === 255) continue;
      packets.push(Buffer.concat(open));
      open = [];
    }
    position += pageBytes;
  }
  const stream = { packets, lastGranule, damage };
  if (isEnded) return stream;
  return {
    ...stream,
    // Some encoders never mark the last page, although all pages are there.
    cut: {
      message: 'the last page is not marked as the end of the stream',
      severity: 'warning',
      byte: bytes.length,
    },
  };
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1)
    value = (value & 0x8000_0000) === 0 ? value << 1 : (value << 1) ^ 0x04c1_1db7;
  return value >>> 0;
});

/** The check sum of a page, with its own place taken as zero (RFC 3533, section 6). */
export function checkSumOf(page: Uint8Array): number {
  let sum = 0;
  for (let index = 0; index < page.length; index += 1) {
    const byte = index >= 22 && index < 26 ? 0 : (page[index] ?? 0);
    sum = ((sum << 8) ^ (table[((sum >>> 24) ^ byte) & 255] ?? 0)) >>> 0;
  }
  return sum;
}
