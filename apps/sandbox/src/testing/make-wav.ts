import { writeWav } from '../uploads/testing/make-files.ts';

const sampleRate = 8_000;

/**
 * A wav file with a tone in it.
 *
 * @param hertz its pitch, which makes two files differ
 */
export function makeWav(hertz: number, seconds = 0.25): Uint8Array<ArrayBuffer> {
  const samples = Int16Array.from({ length: sampleRate * seconds }, (_, index) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * hertz * index) / sampleRate)),
  );
  return new Uint8Array(writeWav(samples, { sampleRate }));
}
