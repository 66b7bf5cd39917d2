import { joinBytes } from '../audio/join-bytes.ts';
import { createFixedGain, createLeveller } from '../audio/leveller.ts';
import { createResampler } from '../audio/resampler.ts';
import { applyVolume } from '../audio/volume.ts';
import { createEncoder } from '../encode/create-encoder.ts';
import type { AudioSettings } from '../encode/encoder.ts';

/** Hz, of what the engine makes. */
export const engineSampleRate = 22050;

export interface OutputSettings extends AudioSettings {
  /** dB. */
  readonly volume: number;
  readonly normalizeLoudness: boolean;
}

/** From the engine's samples to the bytes of the answer. */
export interface AudioOutput {
  /** Seconds of silence that a player hears before the first sample. */
  readonly leadingSeconds: number;
  /**
   * The bytes that are complete by now; there may be none.
   *
   * @param decibels how much louder than the rest these samples are, beside the volume of the settings
   */
  write(samples: Int16Array, decibels: number): Promise<Uint8Array>;
  end(): Promise<Uint8Array>;
  free(): void;
}

export async function createOutput(settings: OutputSettings): Promise<AudioOutput> {
  const encoder = await createEncoder(settings);
  const resampler = await createResampler(engineSampleRate, settings.sampleRate);
  const leveller = settings.normalizeLoudness ? createLeveller() : createFixedGain();
  return {
    leadingSeconds: encoder.leadingSeconds,
    async write(samples, decibels) {
      const floats = toFloats(samples);
      leveller.apply(floats);
      applyVolume(floats, settings.volume, decibels);
      return encoder.encode(resampler.write(floats));
    },
    async end() {
      return joinBytes([encoder.encode(resampler.end()), encoder.finish()]);
    },
    free() {
      encoder.free();
      resampler.free();
    },
  };
}

function toFloats(samples: Int16Array): Float32Array {
  const floats = new Float32Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) floats[index] = (samples[index] ?? 0) / 32768;
  return floats;
}
