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

test('a long text comes in chunks whose times run on', async () => {
  const text = Array.from({ length: 6 }, () => sentence).join(' ');
  const request = { text, format: 'opus', chunk_length: 100, latency: 'balanced' } as const;
  const stream = await service.client().speech.streamWithTimestamps(request);
  const offsets: number[] = [];
  for await (const event of stream) {
    if (event.type === 'chunk-start') offsets.push(event.chunk_audio_offset_sec);
  }
  expect(offsets.length).toBeGreaterThan(2);
  expect(offsets).toEqual([...offsets].sort((left, right) => left - right));
  const { segments, duration } = stream.timeline;
  expect(segments.map((segment) => segment.text.toLowerCase())).toEqual(wordsOf(text));
  expect(segments.at(-1)?.end).toBeLessThanOrEqual(duration + 0.001);
});

test('Chinese is timed character by character', async () => {
  const text = '今天天气很好，我们去公园。';
  const request = { text, format: 'opus', reference_id: 'sandbox-mei' } as const;
  const { audio, timeline } = await (await service.client().speech.streamWithTimestamps(request)).collect();
  expect(timeline.segments.map((segment) => segment.text).join('')).toBe(text.replaceAll(/[，。]/g, ''));
  expect(Math.max(...timeline.segments.map((segment) => [...segment.text].length))).toBe(1);
  expect(audio.length).toBeGreaterThan(5000);
});
