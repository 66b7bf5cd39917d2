import { expect, test } from 'vitest';
import { inspect } from '../audio/inspect.ts';
import { pcmOf, wavOf } from '../testing/sound.ts';
import { factsOf, readAudio } from './judged-audio.ts';

const pcm = pcmOf(1, 8000);

test('audio has the same fingerprint whatever its header says', async () => {
  const prints = [wavOf(pcm, 8000), wavOf(pcm, 8000, { sizes: 0xffff_ffff })].map((wav) =>
    inspect(wav, { format: 'wav', sampleRate: 8000 }),
  );
  expect(new Set((await Promise.all(prints)).map(({ fingerprint }) => fingerprint)).size).toBe(1);
});

test('a file that can not be read has no facts, such as a length', async () => {
  expect(factsOf(await readAudio(Buffer.from('no audio at all')))).toBeUndefined();
});
