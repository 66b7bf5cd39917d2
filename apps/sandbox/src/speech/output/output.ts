import { engineSampleRate } from '../engine/protocol.ts';
import { createMp3Encoder } from './mp3.ts';
import { createOpusEncoder } from './opus.ts';
import { createResampler } from './resampler.ts';
import {
  type AudioEncoder,
  type AudioSettings,
  createLoudness,
  createPcmEncoder,
  createWavEncoder,
  joinBytes,
} from './samples.ts';

export interface OutputSettings extends AudioSettings {
  /** dB. */
  readonly volume: number;
  readonly normalizeLoudness: boolean;
}

/** From the engine's samples to the bytes of the answer. */
export interface AudioOutput {
  /** Seconds of silence that a player hears before the first sample. */
  readonly leadingSeconds: number;
  /** The bytes that are complete by now; there may be none. */
  write(samples: Int16Array): Promise<Uint8Array>;
  end(): Promise<Uint8Array>;
  free(): void;
}

export async function createOutput(settings: OutputSettings): Promise<AudioOutput> {
  const encoder = await createEncoder(settings);
  const resampler = await createResampler(engineSampleRate, settings.sampleRate);
  const shape = createLoudness(settings.normalizeLoudness, settings.volume);
  return {
    leadingSeconds: encoder.leadingSeconds,
    write: async (samples) => encoder.encode(resampler.write(shape(samples))),
    end: async () => joinBytes([encoder.encode(resampler.end()), encoder.finish()]),
    free() {
      encoder.free();
      resampler.free();
    },
  };
}

export async function createEncoder(settings: AudioSettings): Promise<AudioEncoder> {
  switch (settings.format) {
    case 'wav':
      return createWavEncoder(settings.sampleRate);
    case 'pcm':
      return createPcmEncoder();
    case 'mp3':
      return createMp3Encoder(settings.sampleRate, settings.mp3Bitrate);
    case 'opus':
      return createOpusEncoder(settings.opusBitrate);
  }
}

const common = { mp3Bitrate: 128, opusBitrate: -1000, volume: 0, normalizeLoudness: true };
const ways: readonly OutputSettings[] = [
  { ...common, format: 'wav', sampleRate: 44100 },
  { ...common, format: 'mp3', sampleRate: 44100 },
  { ...common, format: 'opus', sampleRate: 48000 },
];

/** Encodes a second of tone in every format: the first second is several times slower than all later ones. */
export async function warmUp(): Promise<void> {
  const tone = Int16Array.from({ length: engineSampleRate }, (_, index) =>
    Math.round(8000 * Math.sin(index / 8)),
  );
  for (const settings of ways) {
    const output = await createOutput(settings);
    await output.write(tone);
    await output.end();
    output.free();
  }
}
