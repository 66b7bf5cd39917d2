import { type SoundBlock, UnreadableAudioError } from './sound.ts';

interface WavFormat {
  /** Format of the samples: 1 integers, 3 floats; everything else is compressed. */
  readonly tag: number;
  readonly channels: number;
  /** Hz. */
  readonly sampleRate: number;
  readonly bitsPerSample: number;
  /** Bytes of one sample of all channels. */
  readonly bytesPerFrame: number;
}

/** Contents of the header of a wav file. */
export interface WavHeader extends WavFormat {
  readonly dataOffset: number;
  /** Length of the samples according to the header; infinite if a streaming writer left a placeholder. */
  readonly dataBytes: number;
}

/** In the file of 64 bits, the size of the samples is in a chunk of its own. */
const longSizes = 'ds64';
/** Writers that stream put the largest size of 31 or of 32 bits, or a little less; some put 0. */
const placeholderBits = 0x7fff_0000;
const extensible = 0xfffe;

/** @throws UnreadableAudioError when the file has no samples, or does not say how they are written */
export function readWavHeader(bytes: Uint8Array): WavHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (offset: number): string => String.fromCharCode(...bytes.subarray(offset, offset + 4));
  let format: WavFormat | undefined;
  let longSize = Number.POSITIVE_INFINITY;
  for (let offset = 12; offset + 8 <= bytes.length; ) {
    const size = view.getUint32(offset + 4, true);
    if (text(offset) === longSizes && offset + 24 <= bytes.length)
      longSize = Number(view.getBigUint64(offset + 16, true));
    if (text(offset) === 'data') {
      if (format === undefined) break;
      const isPlaceholder = size === 0 || (size & placeholderBits) === placeholderBits;
      return { ...format, dataOffset: offset + 8, dataBytes: isPlaceholder ? longSize : size };
    }
    if (text(offset) === 'fmt ' && size >= 16 && offset + 24 <= bytes.length)
      format = readFormat(view, offset + 8, size);
    // Chunks begin at even positions.
    offset += 8 + size + (size & 1);
  }
  throw new UnreadableAudioError('the wav file has no samples, or no complete header');
}

function readFormat(view: DataView, offset: number, size: number): WavFormat {
  const given = view.getUint16(offset, true);
  // The true tag is then the head of a longer one.
  const isLong = given === extensible && size >= 26 && offset + 26 <= view.byteLength;
  const format = {
    tag: isLong ? view.getUint16(offset + 24, true) : given,
    channels: view.getUint16(offset + 2, true),
    sampleRate: view.getUint32(offset + 4, true),
    bytesPerFrame: view.getUint16(offset + 12, true),
    bitsPerSample: view.getUint16(offset + 14, true),
  };
  if (format.channels === 0 || format.sampleRate === 0 || format.bytesPerFrame === 0) {
    throw new UnreadableAudioError('the header of the wav file has a 0 in a field that must be larger');
  }
  return format;
}

const framesABlock = 65_536;

type ReadSample = (view: DataView, position: number) => number;

const encodings: Readonly<Record<number, string>> = { 1: 'integer', 3: 'float', 6: 'aLaw', 7: 'muLaw' };

const readers: Readonly<Record<string, ReadSample>> = {
  integer8: (view, position) => (view.getUint8(position) - 128) / 128,
  integer16: (view, position) => view.getInt16(position, true) / 2 ** 15,
  integer24: (view, position) =>
    (view.getUint16(position, true) + view.getInt8(position + 2) * 2 ** 16) / 2 ** 23,
  integer32: (view, position) => view.getInt32(position, true) / 2 ** 31,
  float32: (view, position) => view.getFloat32(position, true),
  float64: (view, position) => view.getFloat64(position, true),
  // Telephone formats (ITU-T G.711).
  aLaw8: (view, position) => fromALaw(view.getUint8(position)) / 2 ** 15,
  muLaw8: (view, position) => fromMuLaw(view.getUint8(position)) / 2 ** 15,
};

function fromALaw(byte: number): number {
  const bits = byte ^ 0x55;
  const segment = (bits >> 4) & 7;
  const step = ((bits & 15) << 4) + (segment === 0 ? 8 : 0x108);
  const size = segment > 1 ? step << (segment - 1) : step;
  return bits & 0x80 ? size : -size;
}

function fromMuLaw(byte: number): number {
  const bits = ~byte & 0xff;
  const size = ((((bits & 15) << 3) + 0x84) << ((bits >> 4) & 7)) - 0x84;
  return bits & 0x80 ? -size : size;
}

/**
 * The samples of a wav file. The bytes are counted; the sizes in the header are believed only where they are smaller.
 *
 * @throws UnreadableAudioError
 */
export function* readWav(bytes: Uint8Array): Generator<SoundBlock> {
  const { tag, channels, sampleRate, bitsPerSample, bytesPerFrame, dataOffset, dataBytes } =
    readWavHeader(bytes);
  const encoding = encodings[tag];
  if (encoding === undefined) {
    throw new UnreadableAudioError(`its samples are compressed (WAV format tag ${tag}); use PCM`);
  }
  const read = readers[`${encoding}${bitsPerSample}`];
  if (read === undefined || bytesPerFrame * 8 < channels * bitsPerSample) {
    throw new UnreadableAudioError(
      `its samples of ${bitsPerSample} bits are not readable; use 8, 16, 24 or 32 bits`,
    );
  }
  const available = Math.max(0, bytes.length - dataOffset);
  const frames = Math.floor(Math.min(available, dataBytes) / bytesPerFrame);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const step = bytesPerFrame / channels;
  for (let start = 0; start < frames; start += framesABlock) {
    const samples = new Float32Array(Math.min(framesABlock, frames - start));
    for (let index = 0; index < samples.length; index += 1) {
      const position = dataOffset + (start + index) * bytesPerFrame;
      let sum = 0;
      for (let channel = 0; channel < channels; channel += 1) {
        sum += read(view, position + Math.floor(channel * step));
      }
      // A float sample can be NaN or infinite; both count as silence.
      const sample = sum / channels;
      samples[index] = Number.isFinite(sample) ? Math.max(-8, Math.min(8, sample)) : 0;
    }
    yield { samples, sampleRate, channels };
  }
}
