import { UnreadableAudioError } from '../unreadable-audio-error.ts';

/** What the head of a wav file says. */
export interface WavHeader {
  /** How samples are written: 1 integers, 3 floats; everything else is compressed. */
  readonly tag: number;
  readonly channels: number;
  /** Hz. */
  readonly sampleRate: number;
  readonly bitsPerSample: number;
  /** Bytes of one sample of all channels. */
  readonly bytesPerFrame: number;
  readonly dataOffset: number;
  /** What is said of the samples' length; endless where a streaming writer left a placeholder. */
  readonly dataBytes: number;
}

/** Writers that stream put 0xFFFFFFFF or a little less; some put 0. */
const smallestPlaceholder = 0xffff_0000;
const extensible = 0xfffe;

/** @throws UnreadableAudioError when the file has no samples, or does not say how they are written */
export function readWavHeader(bytes: Uint8Array): WavHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (offset: number): string => String.fromCharCode(...bytes.subarray(offset, offset + 4));
  let format: Omit<WavHeader, 'dataOffset' | 'dataBytes'> | undefined;
  for (let offset = 12; offset + 8 <= bytes.length; ) {
    const size = view.getUint32(offset + 4, true);
    if (text(offset) === 'data') {
      if (format === undefined) break;
      const isPlaceholder = size === 0 || size >= smallestPlaceholder;
      return {
        ...format,
        dataOffset: offset + 8,
        dataBytes: isPlaceholder ? Number.POSITIVE_INFINITY : size,
      };
    }
    if (text(offset) === 'fmt ' && size >= 16 && offset + 24 <= bytes.length)
      format = readFormat(view, offset + 8, size);
    // Chunks begin at even positions.
    offset += 8 + size + (size & 1);
  }
  throw new UnreadableAudioError('the wav file has no samples, or not the head they need');
}

function readFormat(
  view: DataView,
  offset: number,
  size: number,
): Omit<WavHeader, 'dataOffset' | 'dataBytes'> {
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
    throw new UnreadableAudioError('the head of the wav file has a zero where none can be');
  }
  return format;
}
