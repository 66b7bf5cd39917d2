import { OggWriter, writeWavHeader } from '@speech-api/audio';
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny';
import { readOgg } from '../../speech/testing/read-audio.ts';

/** AAC without a container: frames that hold silence, each with a header (AAC-LC, 44.1 kHz, mono, 11 bytes). */
export function makeAdts(seconds: number): Buffer {
  const frame = Buffer.concat([Buffer.from([0xff, 0xf1, 0x50, 0x40, 0x01, 0x7f, 0xfc]), silence]);
  return Buffer.concat(Array.from({ length: Math.ceil((seconds * 44_100) / 1024) }, () => frame));
}

/** One packet of silence, AAC-LC, mono: 1024 samples at 44.1 kHz. */
const silence = new Uint8Array([0x01, 0x18, 0x20, 0x07]);
const silenceDescription = new Uint8Array([0x12, 0x08]);

/** An m4a file of AAC packets that hold silence. */
export function makeM4a(seconds: number): Promise<Uint8Array> {
  const length = 1024 / 44_100;
  const packets = Array.from({ length: Math.ceil(seconds / length) }, () => silence);
  const config = {
    codec: 'mp4a.40.2',
    sampleRate: 44_100,
    numberOfChannels: 1,
    description: silenceDescription,
  };
  return makeFile(new Mp4OutputFormat(), 'aac', packets, length, config);
}

/** The packets of an Ogg Opus file, put into a WebM file. */
export function makeWebm(ogg: Uint8Array): Promise<Uint8Array> {
  const [head, , ...pages] = readOgg(ogg);
  const packets = pages.flatMap((page) => page.packets);
  const description = new Uint8Array(head?.packets[0] ?? []);
  const config = { codec: 'opus', sampleRate: 48_000, numberOfChannels: 1, description };
  return makeFile(new WebMOutputFormat(), 'opus', packets, 0.02, config);
}

async function makeFile(
  format: OutputFormat,
  codec: 'aac' | 'opus',
  packets: readonly Uint8Array[],
  length: number,
  decoderConfig: {
    readonly codec: string;
    readonly sampleRate: number;
    readonly numberOfChannels: number;
    readonly description: Uint8Array;
  },
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  await output.start();
  for (const [index, packet] of packets.entries()) {
    await source.add(new EncodedPacket(packet, 'key', index * length, length), { decoderConfig });
  }
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}

/** A FLAC file (RFC 9639) of 16-bit mono samples at 16 kHz, stored without being packed: what every decoder reads. */
export function makeFlac(samples: Int16Array): Buffer {
  const blockSize = 4096;
  const frames: Buffer[] = [];
  for (let start = 0; start < samples.length; start += blockSize) {
    const part = samples.subarray(start, start + blockSize);
    const body = Buffer.alloc(1 + 2 * part.length);
    body[0] = 0b0000_0010;
    part.forEach((sample, index) => {
      body.writeInt16BE(sample, 1 + 2 * index);
    });
    // The block size is at the end of the head, in 16 bits; 16 kHz, mono, 16 bits.
    frames.push(flacFrame([0x75, 0x08], frames.length, [part.length - 1], body));
  }
  return flacFile(blockSize, 16_000, frames, samples.length);
}

/** The same in Ogg: a head of its own, and a page for each frame. */
export function makeOggFlac(samples: Int16Array): Buffer {
  const frameStart = '\xff\xf8u\x08';
  const [head = '', ...frames] = makeFlac(samples).toString('latin1').split(frameStart);
  const ogg = new OggWriter(7);
  const pages = frames.map((frame, index) =>
    ogg.page([Buffer.from(frameStart + frame, 'latin1')], (index + 1) * 4096, index === frames.length - 1),
  );
  return Buffer.concat([ogg.headers([Buffer.from(`\x7fFLAC\x01\0\0\0${head}`, 'latin1')]), ...pages]);
}

function flacFile(blockSize: number, rate: number, frames: readonly Buffer[], samples: number): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(blockSize, 0);
  info.writeUInt16BE(blockSize, 2);
  // 20 bits of rate, 3 of channels - 1, 5 of bits - 1, then the number of samples.
  info.writeUInt32BE(((rate << 12) | (15 << 4)) >>> 0, 10);
  info.writeUInt32BE(samples, 14);
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), info, ...frames]);
}

function flacFrame(kind: readonly number[], number: number, end: readonly number[], body: Buffer): Buffer {
  const numbers = end.flatMap((size) => [size >> 8, size & 255]);
  const head = Buffer.from([0xff, 0xf8, ...kind, ...utf8Number(number), ...numbers]);
  const covered = Buffer.concat([head, Buffer.from([checksum(head, 8, 0x07)]), body]);
  const sum = checksum(covered, 16, 0x8005);
  return Buffer.concat([covered, Buffer.from([sum >> 8, sum & 255])]);
}

function utf8Number(number: number): number[] {
  if (number < 128) return [number];
  if (number < 2048) return [0xc0 | (number >> 6), 0x80 | (number & 63)];
  return [0xe0 | (number >> 12), 0x80 | ((number >> 6) & 63), 0x80 | (number & 63)];
}

function checksum(bytes: Uint8Array, bits: 8 | 16, polynomial: number): number {
  const top = 1 << (bits - 1);
  const mask = 2 ** bits - 1;
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1) value = ((value << 1) ^ (value & top ? polynomial : 0)) & mask;
  }
  return value;
}

export interface WavSettings {
  readonly sampleRate: number;
  readonly channels?: number;
  readonly bitsPerSample?: number;
  /** Length in the header, if it is to be wrong. */
  readonly dataBytes?: number;
}

/** A wav file of integers with the same samples on every channel. */
export function writeWav(samples: Int16Array, settings: WavSettings): Uint8Array {
  const { sampleRate, channels = 1, bitsPerSample = 16 } = settings;
  const step = bitsPerSample / 8;
  const data = Buffer.alloc(samples.length * channels * step);
  samples.forEach((sample, frame) => {
    for (let channel = 0; channel < channels; channel += 1) {
      const at = (frame * channels + channel) * step;
      if (step === 1) data.writeUInt8((sample >> 8) + 128, at);
      else data.writeIntLE(sample * 2 ** (bitsPerSample - 16), at, step);
    }
  });
  const dataBytes = settings.dataBytes ?? data.length;
  return Buffer.concat([writeWavHeader({ sampleRate, channels, bitsPerSample, dataBytes }), data]);
}
