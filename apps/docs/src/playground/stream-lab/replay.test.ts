import transcripts from '@speech-api/spec/transcripts.json';
import { describe, expect, test } from 'vitest';
import { describeEnding, describeStep } from './lab-view.ts';
import { parseTranscript, replay } from './replay.ts';

interface Ending {
  readonly end: string;
  readonly reads_as: {
    readonly events: number;
    readonly audio_bytes: number;
    readonly segments: readonly { readonly text: string; readonly start: number; readonly end: number }[];
  };
}

const files = Object.entries(transcripts as Record<string, readonly unknown[]>);

function open(name: string) {
  const lines = files.find(([file]) => file === name)?.[1] ?? [];
  return replay(parseTranscript(lines.map((line) => JSON.stringify(line)).join('\n')));
}

describe.each(files)('the transcript %s', (name, lines) => {
  test('reads as its last line says', async () => {
    const { steps, ending } = await open(name);
    const { end, reads_as } = lines.at(-1) as Ending;
    const last = steps.at(-1);
    expect(steps).toHaveLength(reads_as.events);
    expect((last?.bytesBefore ?? 0) + (last?.audio.length ?? 0)).toBe(reads_as.audio_bytes);
    expect(ending.kind).toBe(end);
    const segments = [...(last?.segments ?? [])].map(({ text, start, end: until }) => ({
      text,
      start,
      end: until,
    }));
    expect(segments.map(({ text }) => text)).toEqual(reads_as.segments.map(({ text }) => text));
    for (const [index, { start, end: until }] of segments.entries()) {
      expect(start).toBeCloseTo(reads_as.segments[index]?.start ?? -1, 6);
      expect(until).toBeCloseTo(reads_as.segments[index]?.end ?? -1, 6);
    }
  });

  test('has a clock that does not go back, and audio that follows on', async () => {
    const { steps } = await open(name);
    for (const [index, step] of steps.entries()) {
      const before = steps[index - 1];
      expect(step.atMilliseconds).toBeGreaterThanOrEqual(before?.atMilliseconds ?? 0);
      expect(step.bytesBefore).toBe((before?.bytesBefore ?? 0) + (before?.audio.length ?? 0));
    }
  });
});

test('tells the first snapshot from one that is replaced, repeated or left by null', async () => {
  const { steps } = await open('one-chunk');
  expect(steps.map(({ effect }) => effect)).toEqual([
    'none-yet',
    'first',
    'replaced',
    'repeated',
    'repeated',
  ]);
  const nulls = await open('null-after-a-snapshot');
  expect(nulls.steps.map(({ effect }) => effect)).toEqual([
    'none-yet',
    'first',
    'unchanged-by-null',
    'replaced',
    'unchanged-by-null',
    'replaced',
  ]);
});

test('keeps the state of every step, so that going back shows what there was', async () => {
  const { steps } = await open('out-of-order');
  expect(steps.map(({ snapshots }) => snapshots.map(({ segments }) => segments.length))).toEqual([
    [3],
    [3, 2],
    [2, 2],
    [2, 3],
  ]);
});

test('says what is out of order, and that a cut stream is not complete', async () => {
  const { steps } = await open('out-of-order');
  const third = steps[2];
  const text = third ? describeStep(third, 3, () => '') : '';
  expect(text).toContain('chunk_seq goes back from 1 to 0.');
  expect(text).toContain('has 2 segments where the last one had 3');
  const cut = await open('cut-in-the-middle');
  expect(describeEnding(cut)).toMatch(/after 2 events.*never as complete/);
});
