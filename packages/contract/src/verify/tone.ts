import { wavOf } from '../audio/write-wav.ts';

/** Sound of a tone that the judge generates. */
interface ToneOptions {
  /** Duration in seconds. */
  readonly seconds: number;
  /** In Hz. @defaultValue 16000 */
  readonly sampleRate?: number;
}

/**
 * A wav file (16-bit, mono) with a tone that swells and fades three times a second, as loud as speech is.
 * Used where any recording will do, so that the judge ships no recordings of people.
 */
export function toneAsWav({ seconds, sampleRate = 16_000 }: ToneOptions): Uint8Array {
  const samples = Math.round(seconds * sampleRate);
  const second = Buffer.alloc(2 * Math.min(samples, sampleRate));
  for (let index = 0; 2 * index < second.length; index += 1) {
    const at = index / sampleRate;
    const swell = 0.5 - 0.5 * Math.cos(2 * Math.PI * 3 * at);
    second.writeInt16LE(Math.round(12_000 * swell * Math.sin(2 * Math.PI * 220 * at)), 2 * index);
  }
  // Every second sounds like the first: writing each sample anew takes a second for the largest file a server takes.
  return wavOf(Buffer.alloc(2 * samples).fill(second), sampleRate);
}
