import type { SpokenChunk } from './job.ts';
import { engineSampleRate } from './output/output.ts';
import type { ChunkSound } from './speak-chunk.ts';
import type { TextChunk } from './text/segment.ts';

/** A chunk that has been spoken to its end; the words of the last sound are all there are. */
export function spokenChunk(chunk: TextChunk, sounds: readonly ChunkSound[]): SpokenChunk {
  const samples = new Int16Array(sounds.reduce((sum, sound) => sum + sound.samples.length, 0));
  let offset = 0;
  for (const sound of sounds) {
    samples.set(sound.samples, offset);
    offset += sound.samples.length;
  }
  const words = sounds.at(-1)?.words ?? [];
  return { text: chunk.content, words, samples, sampleRate: engineSampleRate };
}
