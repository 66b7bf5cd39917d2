import { createOutput, engineSampleRate, type OutputSettings } from './output.ts';

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
    await output.write(tone, 0);
    await output.end();
    output.free();
  }
}
