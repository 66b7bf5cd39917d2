import type { AudioEncoder } from './encoder.ts';
import { toLittleEndian16 } from './pcm.ts';

const headerBytes = 44;
/** The length is not known when the header leaves; readers trust the bytes. */
const unknownLength = 0xffffffff;

/** A wav stream: the header before the first samples, with placeholders for the sizes. */
export function createWavEncoder(sampleRate: number): AudioEncoder {
  let header: Uint8Array | undefined = streamHeader(sampleRate);
  const withHeader = (bytes: Uint8Array): Uint8Array => {
    if (header === undefined) return bytes;
    const joined = new Uint8Array(header.length + bytes.length);
    joined.set(header);
    joined.set(bytes, header.length);
    header = undefined;
    return joined;
  };
  return {
    leadingSeconds: 0,
    encode: (samples) => (samples.length === 0 ? new Uint8Array(0) : withHeader(toLittleEndian16(samples))),
    finish: () => withHeader(new Uint8Array(0)),
    free() {},
  };
}

function streamHeader(sampleRate: number): Uint8Array {
  const bytes = new Uint8Array(headerBytes);
  const view = new DataView(bytes.buffer);
  const tag = (offset: number, text: string) => bytes.set(new TextEncoder().encode(text), offset);
  tag(0, 'RIFF');
  view.setUint32(4, unknownLength, true);
  tag(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  tag(36, 'data');
  view.setUint32(40, unknownLength, true);
  return bytes;
}
