import { createOutput, type OutputSettings } from '../../speech/output/output.ts';
import { writeWav } from './make-files.ts';

/** Samples of a tone, at the engine's rate. */
export function tone(seconds: number, hertz = 220, rate = 22050): Int16Array {
  return Int16Array.from({ length: Math.round(seconds * rate) }, (_, index) =>
    Math.round(8000 * Math.sin((2 * Math.PI * hertz * index) / rate)),
  );
}

/** A wav file of a quarter of a second of tone. Its pitch makes two files differ. */
export function makeWav(hertz: number, seconds = 0.25): Uint8Array<ArrayBuffer> {
  return new Uint8Array(writeWav(tone(seconds, hertz, 8000), { sampleRate: 8000 }));
}

/** Noise that is the same every time. */
export function noise(seconds: number, amplitude = 4000, rate = 22050): Int16Array {
  let state = 12345;
  return Int16Array.from({ length: Math.round(seconds * rate) }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.round((state / 2 ** 31 - 1) * amplitude);
  });
}

/**
 * A sound like a voice: pulses at a pitch, in bursts like syllables.
 *
 * @param hertz the pitch
 * @param syllables a second
 */
export function voiceLike(seconds: number, hertz: number, syllables = 4, rate = 22050): Int16Array {
  return Int16Array.from({ length: Math.round(seconds * rate) }, (_, index) => {
    const time = index / rate;
    const burst = Math.max(0, Math.sin(2 * Math.PI * syllables * time)) ** 2;
    const harmonics = [1, 2, 3, 4, 5].reduce(
      (sum, harmonic) => sum + Math.sin(2 * Math.PI * hertz * harmonic * time) / harmonic,
      0,
    );
    return Math.round(6000 * burst * harmonics);
  });
}

const usual: OutputSettings = {
  format: 'wav',
  sampleRate: 16000,
  mp3Bitrate: 64,
  opusBitrate: 24000,
  volume: 0,
  normalizeLoudness: false,
};

/** A file of samples at 22 050 Hz, made by the sandbox's own encoders. */
export async function encode(
  samples: Int16Array,
  settings: Partial<OutputSettings> = {},
): Promise<Uint8Array> {
  const output = await createOutput({ ...usual, ...settings });
  const parts = [await output.write(samples), await output.end()];
  output.free();
  return Buffer.concat(parts);
}
