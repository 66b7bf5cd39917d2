import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SpeechEvent, Timeline } from './index.ts';

function update(
  chunk_seq: number,
  offset: number,
  segments: readonly (readonly [string, number, number])[],
  audio_duration = segments.at(-1)?.[2] ?? 0,
): SpeechEvent {
  return {
    type: 'alignment-update',
    chunk_seq,
    chunk_audio_offset_sec: offset,
    content: segments.map(([text]) => text).join(' '),
    alignment: { audio_duration, segments: segments.map(([text, start, end]) => ({ text, start, end })) },
  };
}

test('captions show the words as the text writes them, each chunk its own', () => {
  const timeline = new Timeline();
  const words = (...texts: string[]) => texts.map((text, index) => [text, index, index + 1] as const);
  timeline.apply({ ...update(0, 0, words('its', 'late')), content: "It's late." } as SpeechEvent);
  timeline.apply({ ...update(1, 2, words('good', 'night')), content: '“Good night!”' } as SpeechEvent);
  expect(timeline.toSrt().match(/^[^\d\n].*$/gm)).toEqual(["It's late.", '“Good night!”']);
  expect(timeline.toVtt()).toContain("\nIt's late.\n");
  expect(timeline.segments.map(({ text }) => text)).toEqual(['its', 'late', 'good', 'night']);
});

const rounded = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;

describe('snapshots (section 3)', () => {
  test('is unchanged by events without alignment', () => {
    const timeline = new Timeline();
    timeline.apply(update(0, 2, [['one', 0, 0.5]]));
    const before = timeline.segments;
    timeline.apply({ type: 'chunk-start', chunk_seq: 0, chunk_audio_offset_sec: 9, content: '' });
    timeline.apply({ type: 'end' });
    expect(timeline.segments).toBe(before);
    expect(before[0]?.start).toBe(2);
  });

  test('equals a plain model for any order of events', () => {
    const times = fc.double({ min: 0, max: 100, noNaN: true });
    const event = fc.record({
      seq: fc.nat(4),
      offset: times,
      duration: times,
      segments: fc.array(fc.tuple(fc.string(), times, times), { maxLength: 5 }),
    });
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const timeline = new Timeline();
        for (const { seq, offset, segments, duration } of events) {
          timeline.apply(update(seq, offset, segments, duration));
        }
        const latest = [...new Map(events.map((event) => [event.seq, event])).values()];
        latest.sort((left, right) => left.seq - right.seq);
        const expected = latest.flatMap(({ seq, offset, segments }) =>
          segments.map(([text, start, end]) => {
            return { text, start: rounded(start + offset), end: rounded(end + offset), chunk_seq: seq };
          }),
        );
        expect(timeline.segments).toEqual(expected.sort((left, right) => left.start - right.start));
        const ends = latest.map(({ offset, duration }) => offset + duration);
        expect(timeline.duration).toBe(Math.max(0, ...ends));
      }),
    );
  });
});

describe('wordAt', () => {
  test('agrees with a search from the back, overlaps included', () => {
    const segment = fc.tuple(fc.constant('x'), fc.nat(50), fc.nat(10)).map(([text, start, length]) => {
      return [text, start, start + length] as const;
    });
    fc.assert(
      fc.property(fc.array(segment), fc.nat(60), (segments, seconds) => {
        const random = new Timeline();
        random.apply(update(0, 0, segments));
        const expected = random.segments.findLastIndex(({ start, end }) => start <= seconds && seconds < end);
        expect(random.indexAt(seconds)).toBe(expected);
        expect(random.wordAt(seconds)).toBe(random.segments[expected]);
        for (const nowhere of [Number.NaN, Number.POSITIVE_INFINITY]) {
          expect(random.wordAt(nowhere)).toBeUndefined();
        }
      }),
    );
  });
});
