import type { SpeechStreamEvent } from '@speech-api/types';
import { beforeAll, expect, test } from 'vitest';
import { createFakeSpeech } from '../../src/testing/fake-speech.ts';
import { speak as speakTo, speechHeaders, start } from '../../src/testing/sandboxes.ts';
import { audioOf, eventsOf, useCalls } from './calls.ts';

const { events, speak } = useCalls('real');

const sentence = 'The baker opens the door at six and the first customers are already waiting outside.';
const request = { text: `${sentence} ${sentence}`, format: 'wav', latency: 'balanced', chunk_length: 100 };
let spoken: readonly SpeechStreamEvent[] = [];

beforeAll(async () => {
  spoken = await events(request);
}, 60_000);

const chunks = (): SpeechStreamEvent[][] => [...Map.groupBy(spoken, (event) => event.chunk_seq).values()];

test('section 2.4: the audio of all events, joined, is the complete audio', async () => {
  const whole = await (await speak(request)).bytes();
  expect(audioOf(spoken).equals(whole)).toBe(true);
});

test('section 2.4: every event has the five fields, and nothing else', () => {
  const fields = ['alignment', 'audio_base64', 'chunk_audio_offset_sec', 'chunk_seq', 'content'];
  for (const event of spoken) expect(Object.keys(event).sort()).toEqual(fields);
});

test('section 2.4: a long text is split into several chunks, each with its own content', () => {
  expect(chunks().length).toBeGreaterThan(1);
  for (const chunk of chunks()) expect(new Set(chunk.map(({ content }) => content)).size).toBe(1);
  expect(
    chunks()
      .map(([first]) => first?.content.trim())
      .join(' '),
  ).toBe(request.text);
});

test('section 2.4: alignment is null before the first snapshot of a chunk', () => {
  for (const chunk of chunks()) expect(chunk[0]?.alignment).toBeNull();
});

test('section 2.4: segments lie within the audio of their chunk, in order', () => {
  for (const { alignment } of spoken) {
    let last = 0;
    for (const { start, end } of alignment?.segments ?? []) {
      expect(start).toBeGreaterThanOrEqual(last);
      expect(end).toBeGreaterThan(start);
      expect(end).toBeLessThanOrEqual((alignment?.audio_duration ?? 0) + 0.001);
      last = start;
    }
  }
});

test('section 2.4: the offset of a chunk is where the audio of the chunks before it ends', () => {
  let expected = 0;
  for (const chunk of chunks()) {
    expect(chunk[0]?.chunk_audio_offset_sec).toBeCloseTo(expected, 2);
    expected += chunk.at(-1)?.alignment?.audio_duration ?? 0;
  }
});

test('section 3: a later snapshot of a chunk replaces the one before: it has all its segments and more', () => {
  for (const chunk of chunks()) {
    let before: readonly unknown[] = [];
    for (const { alignment } of chunk) {
      if (alignment === null) continue;
      expect(alignment.segments.slice(0, before.length)).toEqual(before);
      before = alignment.segments;
    }
    expect(before.length).toBe(sentence.split(' ').length);
  }
});

test('section 3: the latest snapshot is repeated, unchanged, while there is no newer one', async () => {
  const normal = await events({
    text: 'At six the baker opens the door, and outside the first customers are already waiting.',
    format: 'opus',
    latency: 'normal',
  });
  const repeated = normal.filter((event, index) => {
    const { alignment } = event;
    return alignment !== null && JSON.stringify(normal[index - 1]?.alignment) === JSON.stringify(alignment);
  });
  expect(repeated.length).toBeGreaterThan(1);
});

test('section 3: under balanced a chunk has several snapshots', () => {
  for (const chunk of chunks()) {
    const snapshots = new Set(
      chunk.flatMap(({ alignment }) => (alignment ? [JSON.stringify(alignment)] : [])),
    );
    expect(snapshots.size).toBeGreaterThan(1);
  }
});

test('section 3: every event carries audio, those without alignment too', () => {
  for (const event of spoken) expect(event.audio_base64.length).toBeGreaterThan(0);
});

test('section 6: chunk numbers and offsets never go down', () => {
  spoken.slice(1).forEach((event, index) => {
    expect(event.chunk_seq).toBeGreaterThanOrEqual(spoken[index]?.chunk_seq ?? 0);
    expect(event.chunk_audio_offset_sec).toBeGreaterThanOrEqual(spoken[index]?.chunk_audio_offset_sec ?? 0);
  });
});

test('section 6: events are sent while audio is made, each with one chunk of it', async () => {
  const goOn = Promise.withResolvers<void>();
  const speech = createFakeSpeech({ pieces: 3, before: (piece) => (piece === 2 ? goOn.promise : undefined) });
  const sandbox = await start({ speech });
  const response = await speakTo(sandbox, { text: 'a' }, speechHeaders, '/v1/tts/stream/with-timestamp');
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    // The third is not made before the first two have come.
    if (eventsOf(text).length === 2) goOn.resolve();
  }
  const chunks = eventsOf(text).map((event) => Buffer.from(event.audio_base64, 'base64'));
  expect(chunks).toEqual([0, 1, 2].map((piece) => Buffer.alloc(4, piece)));
});

test('section 6: a stream ends with its connection and without a marker', async () => {
  const response = await speakTo(
    await start(),
    { text: 'a' },
    speechHeaders,
    '/v1/tts/stream/with-timestamp',
  );
  const text = await response.text();
  expect(eventsOf(text)).toHaveLength(2);
  expect(text).not.toContain('[DONE]');
});
