import { type AudioFacts, type AudioFlaw, Heard, looksByteSwapped } from './audio-facts.ts';

/** Sizes from here on are placeholders, written before the length was known; some writers use signed numbers. */
const leastPlaceholder = 0x7fff_0000;

interface Format {
  readonly tag: number;
  readonly channels: number;
  readonly sampleRate: number;
  readonly bytesPerFrame: number;
  readonly bitsPerSample: number;
}

/** Walks over the chunks and takes the data as samples. The bytes are trusted, not the sizes. */
export function inspectWav(bytes: Uint8Array): AudioFacts {
  const damage: AudioFlaw[] = [];
  const { format, data, cut, wrongSize } = walk(bytes, damage);
  if (format === undefined) damage.push({ message: 'it has no format chunk', byte: 12 });
  if (data === undefined) damage.push({ message: 'it has no data chunk', byte: bytes.length });
  if (format !== undefined && format.tag !== 1)
    damage.push({ message: `its format tag is ${format.tag}, not 1 for pcm`, byte: 20 });
  const meter = new Heard();
  const channels = format?.channels ?? 1;
  const samples = data ?? new Uint8Array();
  if ((format?.bitsPerSample ?? 16) === 16) meter.addPcm(samples, channels);
  const frames = Math.floor(samples.length / (format?.bytesPerFrame || 2));
  const half = format === undefined ? 0 : samples.length % (format.bytesPerFrame || 2);
  const cutEnd = cut ?? (half > 0 ? { message: 'half a sample', byte: bytes.length - half } : undefined);
  return {
    format: 'wav',
    described: 'wav',
    ...(format !== undefined && {
      sampleRate: format.sampleRate,
      channels: format.channels,
      bitsPerSample: format.bitsPerSample,
    }),
    samples: frames,
    seconds: frames / (format?.sampleRate || 1),
    peak: meter.peak,
    damage,
    ...(cutEnd !== undefined && { cut: cutEnd }),
    ...(wrongSize !== undefined && { wrongSize }),
    looksByteSwapped: channels === 1 && looksByteSwapped(samples),
    fingerprint: meter.fingerprint,
  };
}

function walk(bytes: Uint8Array, damage: AudioFlaw[]) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const riffSize = bytes.length < 8 ? 0 : view.getUint32(4, true);
  let wrongSize: AudioFlaw | undefined;
  if (riffSize < leastPlaceholder && riffSize !== bytes.length - 8) {
    wrongSize = {
      message: `the RIFF size is ${riffSize}, but ${bytes.length - 8} bytes follow it`,
      byte: 4,
    };
  }
  let format: Format | undefined;
  let data: Uint8Array | undefined;
  let cut: AudioFlaw | undefined;
  let position = 12;
  while (position + 8 <= bytes.length) {
    const id = Buffer.from(bytes.subarray(position, position + 4)).toString('latin1');
    const size = view.getUint32(position + 4, true);
    const start = position + 8;
    if (id === 'fmt ' && start + 16 <= bytes.length) format = readFormat(view, start, size);
    if (id === 'data') {
      const isPlaceholder = size >= leastPlaceholder;
      const there = bytes.length - start;
      data = bytes.subarray(start, isPlaceholder ? bytes.length : Math.min(start + size, bytes.length));
      if (!isPlaceholder && size > there) {
        cut = { message: `the data chunk should have ${size} bytes and has ${there}`, byte: bytes.length };
      }
      // Nothing can follow chunks of unknown size, and nothing else follows our own.
      if (isPlaceholder || start + size + (size % 2) >= bytes.length) break;
      const next = Buffer.from(bytes.subarray(start + size, start + size + 4)).toString('latin1');
      if (!/^\0?[\x20-\x7e]{3}/.test(next)) {
        wrongSize = {
          message: `the data size is ${size}, but ${there} bytes follow it`,
          byte: position + 4,
        };
        data = bytes.subarray(start);
        break;
      }
    } else if (start + size > bytes.length) {
      damage.push({ message: `the chunk ${JSON.stringify(id)} is longer than the file`, byte: position });
      break;
    }
    position = start + size + (size % 2);
  }
  return { format, data, cut, wrongSize };
}

function readFormat(view: DataView, start: number, size: number): Format {
  const tag = view.getUint16(start, true);
  const isExtended = tag === 0xfffe && size >= 26 && start + 26 <= view.byteLength;
  return {
    tag: isExtended ? view.getUint16(start + 24, true) : tag,
    channels: view.getUint16(start + 2, true),
    sampleRate: view.getUint32(start + 4, true),
    bytesPerFrame: view.getUint16(start + 12, true),
    bitsPerSample: view.getUint16(start + 14, true),
  };
}

interface WavOptions {
  readonly channels?: number;
  readonly bits?: number;
  /** The sizes in the header; the true ones when left out. */
  readonly sizes?: number;
}

/** A wav file with these samples. */
export function wavOf(
  data: Uint8Array,
  sampleRate: number,
  { channels = 1, bits = 16, sizes }: WavOptions = {},
): Uint8Array {
  const head = new DataView(new ArrayBuffer(44));
  const name = (at: number, text: string) => Buffer.from(head.buffer).write(text, at, 'latin1');
  name(0, 'RIFF');
  head.setUint32(4, sizes ?? data.length + 36, true);
  name(8, 'WAVEfmt ');
  head.setUint32(16, 16, true);
  head.setUint16(20, 1, true);
  head.setUint16(22, channels, true);
  head.setUint32(24, sampleRate, true);
  head.setUint32(28, (sampleRate * channels * bits) / 8, true);
  head.setUint16(32, (channels * bits) / 8, true);
  head.setUint16(34, bits, true);
  name(36, 'data');
  head.setUint32(40, sizes ?? data.length, true);
  return new Uint8Array(Buffer.concat([new Uint8Array(head.buffer), data]));
}
