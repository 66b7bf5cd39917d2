import type { AudioFormat } from '@speech-api/types';
import { joinBytes } from '../../values.ts';

/** Turns samples into the bytes of one audio stream. */
export interface AudioEncoder {
  /** Seconds of silence that a player hears before the first sample. */
  readonly leadingSeconds: number;
  /**
   * The bytes that are complete by now; there may be none.
   *
   * @param samples at the stream's rate, mono, -1 to 1
   */
  encode(samples: Float32Array): Uint8Array;
  /** The rest of the stream. */
  finish(): Uint8Array;
  free(): void;
}

/** Settings that determine the form of the stream. */
export interface AudioSettings {
  readonly format: AudioFormat;
  /** Hz. */
  readonly sampleRate: number;
  /** kbit/s. */
  readonly mp3Bitrate: number;
  /** bit/s, or -1000 for automatic. */
  readonly opusBitrate: number;
}

const fullScale = 32767;

/** 16-bit little-endian samples without a header. */
export function createPcmEncoder(): AudioEncoder {
  return {
    leadingSeconds: 0,
    encode: toLittleEndian16,
    finish: () => new Uint8Array(0),
    free() {},
  };
}

export function toLittleEndian16(samples: Float32Array): Uint8Array {
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < samples.length; index += 1) {
    const sample = Math.max(-1, Math.min(1, samples[index] ?? 0));
    view.setInt16(index * 2, Math.round(sample * fullScale), true);
  }
  return bytes;
}

/** Bytes of the header that the sandbox writes before wav samples. */
export const wavHeaderBytes = 44;
/** The length is not known when the header leaves; readers trust the bytes. */
const unknownLength = 0xffffffff;

/** A wav stream: the header before the first samples, with placeholders for the sizes. */
export function createWavEncoder(sampleRate: number): AudioEncoder {
  let header: Uint8Array | undefined = wavHeader(sampleRate);
  const withHeader = (bytes: Uint8Array): Uint8Array => {
    if (header === undefined) return bytes;
    const joined = joinBytes([header, bytes]);
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

/**
 * The header of 16-bit mono samples.
 *
 * @param dataBytes how many bytes follow. @defaultValue a placeholder
 */
export function wavHeader(sampleRate: number, dataBytes?: number): Uint8Array {
  const bytes = new Uint8Array(wavHeaderBytes);
  const view = new DataView(bytes.buffer);
  const tag = (offset: number, text: string) => bytes.set(new TextEncoder().encode(text), offset);
  tag(0, 'RIFF');
  view.setUint32(4, dataBytes === undefined ? unknownLength : dataBytes + wavHeaderBytes - 8, true);
  tag(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  tag(36, 'data');
  view.setUint32(40, dataBytes ?? unknownLength, true);
  return bytes;
}
