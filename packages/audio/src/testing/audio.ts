import { createEncoder } from 'libopus-wasm';
import { createMp3Encoder } from 'wasm-media-encoders';
import { joinBytes, viewOf } from '../bytes.ts';
import { OggWriter, writeOggComments } from '../ogg.ts';
import { writeOpusHead } from '../opus.ts';
import { writeWavHeader } from '../wav.ts';

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
  return joinBytes([writeWavHeader({ sampleRate }), pcmTone(seconds, sampleRate)]);
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
  return joinBytes(parts);
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
  const writer = new OggWriter(7);
  const pages = [writer.headers(opusHeaders(preSkip))];
  for (let first = 0; first < packets.length; first += packetsAPage) {
    const last = Math.min(first + packetsAPage, packets.length);
    const isEnd = last === packets.length;
    const granule = isEnd ? samples.length + preSkip : last * 960;
    pages.push(writer.page(packets.slice(first, last), granule, isEnd));
  }
  return joinBytes(pages);
}

/** The two headers before the audio. */
export function opusHeaders(preSkip: number): Uint8Array[] {
  return [writeOpusHead({ channels: 1, preSkip }, 48_000), writeOggComments('OpusTags', 'tests')];
}

/** Cuts bytes into pieces of this size. */
export function inPieces(bytes: Uint8Array, size: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += size) pieces.push(bytes.subarray(start, start + size));
  return pieces;
}
