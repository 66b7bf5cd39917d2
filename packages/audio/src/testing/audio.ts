import { createEncoder } from 'libopus-wasm';
import { createMp3Encoder } from 'wasm-media-encoders';
import { viewOf } from '../bytes.ts';
import { writeWavHeader } from '../wav.ts';
import { oggPage, opusHeaders } from './ogg-writer.ts';

/** A tone that slides up, so that no two moments sound alike. */
export function tone(seconds: number, sampleRate: number): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(Math.round(seconds * sampleRate));
  return samples.map((_, index) => 0.3 * Math.sin((2 * Math.PI * (300 + index / 200) * index) / sampleRate));
}

export function pcmTone(seconds: number, sampleRate: number): Uint8Array<ArrayBuffer> {
  const samples = tone(seconds, sampleRate);
  const bytes = new Uint8Array(samples.length * 2);
  const view = viewOf(bytes);
  samples.forEach((sample, index) => {
    view.setInt16(index * 2, Math.round(sample * 32767), true);
  });
  return bytes;
}

/** A wav file as it is streamed: sizes are placeholders. */
export function wavTone(seconds: number, sampleRate: number): Uint8Array<ArrayBuffer> {
  return join([writeWavHeader({ sampleRate }), pcmTone(seconds, sampleRate)]);
}

export async function mp3Tone(
  seconds: number,
  sampleRate: 32000 | 44100,
  bitrate: 64 | 128 | 192 = 128,
): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate, channels: 1, bitrate });
  const parts = [
    new Uint8Array(encoder.encode([tone(seconds, sampleRate)])),
    new Uint8Array(encoder.finalize()),
  ];
  return join(parts);
}

/** Ogg Opus with 20 ms packets, this many to a page; the end trimmed to the sample. */
export async function opusTone(seconds: number, packetsAPage = 3): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = await createEncoder({ sampleRate: 48000, channels: 1, bitrate: 32000 });
  const preSkip = 312;
  const samples = tone(seconds, 48000);
  const packets: Uint8Array[] = [];
  for (let start = 0; start < samples.length + preSkip; start += 960) {
    const frame = new Float32Array(960);
    frame.set(samples.subarray(start, start + 960));
    packets.push(new Uint8Array(encoder.encodeFloat(frame)));
  }
  encoder.free();
  const pages = opusHeaders(preSkip);
  for (let first = 0; first < packets.length; first += packetsAPage) {
    const last = Math.min(first + packetsAPage, packets.length);
    const isEnd = last === packets.length;
    pages.push(
      oggPage({
        flags: isEnd ? 4 : 0,
        granule: isEnd ? samples.length + preSkip : last * 960,
        sequence: pages.length,
        packets: packets.slice(first, last),
      }),
    );
  }
  return join(pages);
}

export function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let position = 0;
  for (const part of parts) {
    joined.set(part, position);
    position += part.length;
  }
  return joined;
}

/** Cuts bytes into pieces of this size. */
export function inPieces(bytes: Uint8Array, size: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += size) pieces.push(bytes.subarray(start, start + size));
  return pieces;
}
