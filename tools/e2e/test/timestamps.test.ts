import { expect, test } from 'vitest';
import { useService } from './testing/use-service.ts';

const service = useService();
const sentence = 'The baker opens at six, and the first customers are already waiting outside.';

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

test('every word is timed once, in order, within the audio', async () => {
  const stream = await service.client().speech.streamWithTimestamps({ text: sentence, format: 'opus' });
  const { timeline } = await stream.collect();
  const { segments } = timeline;
  expect(segments.map(({ text }) => text.toLowerCase())).toEqual(wordsOf(sentence));
  let before = 0;
  for (const { start, end } of segments) {
    expect(start).toBeGreaterThanOrEqual(before);
    expect(end).toBeGreaterThan(start);
    before = start;
  }
  expect(before).toBeLessThan(timeline.duration);
  const sixth = segments[5];
  expect(timeline.wordAt(((sixth?.start ?? 0) + (sixth?.end ?? 0)) / 2)).toEqual(sixth);
  expect(timeline.toVtt()).toMatch(/^WEBVTT\n/);
});
