import type { SynthesisRequest } from '@speech-api/types';
import { expect, test } from 'vitest';
import { chunkText, endOfWholeWords, type Step, writeScript } from './script.ts';

const stepsOf = (request: SynthesisRequest, speed = 1): Step[] => [...writeScript(request, speed).steps];
const lastSnapshots = (steps: readonly Step[]) => [
  ...new Map(steps.map((step) => [step.chunk_seq, step.alignment])).values(),
];
const wordsOf = (steps: readonly Step[]): string[] =>
  lastSnapshots(steps).flatMap((alignment) => alignment?.segments.map(({ text }) => text) ?? []);

const paragraph = 'The baker opens at six. The first customers wait outside, and it is cold! Is it? ';

test('tells each word once, in order, without signs, tags and apostrophes', () => {
  const text = "<|speaker:0|>The captain's boat, gone.<|speaker:1|>Good-bye 42!";
  expect(wordsOf(stepsOf({ text }))).toEqual(['The', 'captains', 'boat', 'gone', 'Good', 'bye', '42']);
});

test('tells Chinese and Japanese character by character, and Latin words among them whole', () => {
  expect(wordsOf(stepsOf({ text: '我们用 Node 吧。かな' }))).toEqual([
    '我',
    '们',
    '用',
    'Node',
    '吧',
    'か',
    'な',
  ]);
});

test('begins each chunk of more than one event without a snapshot, and ends it with the whole', () => {
  const steps = stepsOf({ text: paragraph.repeat(8) });
  const chunks = Map.groupBy(steps, ({ chunk_seq }) => chunk_seq);
  expect(chunks.size).toBeGreaterThan(1);
  for (const events of chunks.values()) {
    expect(events[0]?.alignment).toBeNull();
    const counts = events.map(({ alignment }) => alignment?.segments.length ?? 0);
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
  }
  expect(wordsOf(steps)).toEqual(paragraph.repeat(8).match(/[a-z]+/gi));
});

test('says where each chunk begins: where the last one ended', () => {
  const steps = stepsOf({ text: paragraph.repeat(8), latency: 'balanced' });
  let end = 0;
  for (const events of Map.groupBy(steps, ({ chunk_seq }) => chunk_seq).values()) {
    for (const { chunk_audio_offset_sec } of events) expect(chunk_audio_offset_sec).toBeCloseTo(end, 9);
    const last = events.at(-1);
    end += last?.alignment?.audio_duration ?? 0;
    expect(last?.audioUntil).toBeCloseTo(end, 9);
  }
});

test('gives every event some audio, however short the text', () => {
  for (const text of ['I', 'I am.', '…', '', 'word '.repeat(50)]) {
    let before = 0;
    for (const { audioUntil } of stepsOf({ text }, 2)) {
      expect(audioUntil - before).toBeGreaterThan(0.06);
      before = audioUntil;
    }
    expect(before).toBeGreaterThan(0.06);
  }
});

test('is shorter when it is faster', () => {
  const seconds = (speed: number): number => stepsOf({ text: paragraph }, speed).at(-1)?.audioUntil ?? 0;
  expect(seconds(1) / seconds(2)).toBeCloseTo(2, 1);
  expect(seconds(0.5) / seconds(1)).toBeCloseTo(2, 1);
});

test('cuts no chunk longer than asked for, behind sentences where it can, and loses nothing', () => {
  const text = `${paragraph.repeat(5)}${'x'.repeat(450)} end. ${'很'.repeat(250)}`;
  for (const chunk_length of [100, 300]) {
    for (const latency of ['normal', 'balanced', 'low'] as const) {
      const chunks = chunkText(text, { chunk_length, latency });
      expect(Math.max(...chunks.map((chunk) => [...chunk].length))).toBeLessThanOrEqual(chunk_length);
      expect(chunks.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
    }
  }
  expect(chunkText(paragraph, { latency: 'balanced', min_chunk_length: 0 })).toEqual([
    'The baker opens at six.',
    'The first customers wait outside, and it is cold!',
    'Is it?',
  ]);
  expect(chunkText(paragraph, {})).toEqual([paragraph.trim()]);
});

const megabyte = 1_000_000;

test.each([
  ['', 0],
  ['One', 0],
  ['One two', 4],
  ['One two ', 8],
  ['一，二', 2],
  // A word of a megabyte takes no longer than any other text.
  ['a'.repeat(megabyte), 0],
  [`${'a'.repeat(megabyte)} `, megabyte + 1],
  [`${'a'.repeat(megabyte)} b`, megabyte + 1],
])('knows where the last whole word ends, text %#', (text, end) => {
  expect(endOfWholeWords(text)).toBe(end);
});
