import { measureAudio } from '@speech-api/audio';
import type { SynthesisRequest } from '@speech-api/types';
import { expect, test } from 'vitest';
import { useService } from './testing/use-service.ts';

const service = useService();
const turns = '<|speaker:0|>Good morning.<|speaker:1|>And a good morning to you.';

async function speak(request: SynthesisRequest): Promise<Uint8Array<ArrayBuffer>> {
  return (await service.client().speech.create(request)).bytes();
}

test('samples go as MessagePack in every kind of binary, and are heard alike', async () => {
  const text = 'This is a sample of my voice.';
  const bytes = await speak({ text, format: 'wav' });
  const results: Uint8Array[] = [];
  for (const audio of [
    bytes,
    bytes.buffer,
    new Blob([bytes]),
    new File([bytes], 'a.wav'),
    Buffer.from(bytes),
  ]) {
    results.push(await speak({ text: 'Cloned.', format: 'pcm', references: [{ audio, text }] }));
  }
  expect(measureAudio(results[0] ?? new Uint8Array(), 'pcm').seconds).toBeGreaterThan(0.3);
  for (const result of results) expect(Buffer.compare(result, results[0] ?? new Uint8Array())).toBe(0);
});

test('the tags of a dialogue are not among its timed words', async () => {
  const request = { text: turns, format: 'opus', reference_id: ['sandbox-alba', 'sandbox-blake'] } as const;
  const stream = await service
    .client()
    .speech.streamWithTimestamps({ ...request, reference_id: [...request.reference_id] });
  const { timeline } = await stream.collect();
  const words = timeline.segments.map(({ text }) => text.toLowerCase());
  expect(words).toEqual(['good', 'morning', 'and', 'a', 'good', 'morning', 'to', 'you']);
});
