import { wavHeader } from '@speech-api/server/audio';
import { type AudioFormat, bitsPerSample } from '@speech-api/types';
import { createMp3 } from './mp3.ts';
import { createOpus } from './opus.ts';

/** Audio settings of an answer. */
export interface SoundSettings {
  readonly format: AudioFormat;
  /** Hz; one that the format has. */
  readonly sampleRate: number;
  /** kbps. */
  readonly mp3Bitrate: number;
  /** bps; negative for automatic. */
  readonly opusBitrate: number;
}

/** A tone that is written piece by piece, in one format. Times are seconds from its start and never go back. */
export interface Sound {
  /** The bytes that bring the audio up to this time, as far as whole frames go. */
  until(seconds: number): Uint8Array;
  /** The bytes that are missing for the whole, and what ends it. */
  finish(seconds: number): Uint8Array;
}

const makers: Readonly<Record<AudioFormat, (settings: SoundSettings) => Sound>> = {
  wav: createWav,
  pcm: createPcm,
  mp3: createMp3,
  opus: createOpus,
};

/** Starts a tone in the format that was asked for. */
export function createSound(settings: SoundSettings): Sound {
  return makers[settings.format](settings);
}

const bytesPerSample = bitsPerSample.pcm / 8;
/** Hz: a whole number of periods a second, so that a second can be repeated without a click. */
const frequency = 440;
const loudness = 8_000;
const seconds = new Map<number, Buffer>();

/** 16-bit samples, little-endian, mono, without a header. */
export function createPcm({ sampleRate }: Pick<SoundSettings, 'sampleRate'>): Sound {
  const second = secondOf(sampleRate);
  let written = 0;
  const write = (samples: number): Uint8Array => {
    const pieces: Uint8Array[] = [];
    while (written < samples) {
      const start = written % sampleRate;
      const count = Math.min(samples - written, sampleRate - start);
      pieces.push(second.subarray(start * bytesPerSample, (start + count) * bytesPerSample));
      written += count;
    }
    return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
  };
  return {
    until: (time) => write(Math.floor(time * sampleRate)),
    finish: (time) => write(Math.round(time * sampleRate)),
  };
}

/** The same behind a header that was written before the length was known, as of every streamed wav. */
export function createWav(settings: Pick<SoundSettings, 'sampleRate'>): Sound {
  const samples = createPcm(settings);
  let header: Uint8Array | undefined = wavHeader(settings.sampleRate);
  const withHeader = (bytes: Uint8Array): Uint8Array => {
    if (header === undefined) return bytes;
    const both = Buffer.concat([header, bytes]);
    header = undefined;
    return both;
  };
  return {
    until: (time) => withHeader(samples.until(time)),
    finish: (time) => withHeader(samples.finish(time)),
  };
}

function secondOf(sampleRate: number): Buffer {
  const known = seconds.get(sampleRate);
  if (known !== undefined) return known;
  const bytes = Buffer.alloc(sampleRate * bytesPerSample);
  for (let index = 0; index < sampleRate; index += 1) {
    const sample = loudness * Math.sin((2 * Math.PI * frequency * index) / sampleRate);
    bytes.writeInt16LE(Math.round(sample), index * bytesPerSample);
  }
  seconds.set(sampleRate, bytes);
  return bytes;
}
