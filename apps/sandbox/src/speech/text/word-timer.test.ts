import { describe, expect, test } from 'vitest';
import type { TimedEvent } from '../engine/protocol.ts';
import { findTokens, plainUnits } from './characters.ts';
import { WordTimer } from './word-timer.ts';

const word = (time: number, position: number, length = 1): TimedEvent => ({
  event: 'word',
  time,
  position,
  length,
});
const phoneme = (time: number, sound: string): TimedEvent => ({ event: 'phoneme', time, phoneme: sound });

function times(text: string, events: TimedEvent[], duration: number): [string, number, number][] {
  const timer = new WordTimer(findTokens(plainUnits(text)), [...text].length);
  timer.add(events);
  timer.finish(duration);
  return timer.timed.map(({ token, start, end }) => [token.text, round(start), round(end)]);
}

const round = (seconds: number) => Math.round(seconds * 1000) / 1000;

describe('WordTimer', () => {
  test('merges the events of one written token, pauses inside it included', () => {
    const ofPrice = [word(0, 0), phoneme(0, 'd'), phoneme(0.2, ''), word(0.3, 1, 4), phoneme(0.3, 'θ')];
    expect(times('$3.50 now', [...ofPrice, word(0.9, 6), phoneme(0.9, 'n')], 1.2)).toEqual([
      ['$3.50', 0, 0.9],
      ['now', 0.9, 1.2],
    ]);
  });

  test('shares one event between Chinese characters by their syllables', () => {
    const sounds = [
      [0, 'χ'],
      [0.1, 'ə'],
      [0.2, 'n'],
      [0.35, 'χ'],
      [0.4, 'ˈɑu'],
      [0.5, ''],
    ] as const;
    const events = [word(0, 0), ...sounds.map(([time, sound]) => phoneme(time, sound))];
    expect(times('很好。', events, 0.7)).toEqual([
      ['很', 0, 0.35],
      ['好', 0.35, 0.5],
    ]);
  });

  test('moves on when one place is announced twice and reaches over the next character', () => {
    const events = [word(0, 0, 2), phoneme(0, 's'), word(0.3, 0, 2), phoneme(0.3, 's'), word(0.6, 1, 2)];
    expect(times('是3.5', [...events, phoneme(0.6, 'w')], 1)).toEqual([
      ['是', 0, 0.3],
      ['3.5', 0.3, 1],
    ]);
  });

  test('gives times to every token even without any event', () => {
    expect(times('a b', [], 1)).toEqual([
      ['a', 0, 0.5],
      ['b', 0.5, 1],
    ]);
  });

  test('knows a word only when its end is known', () => {
    const timer = new WordTimer(findTokens(plainUnits('one two')), 7);
    timer.add([word(0, 0), phoneme(0, 'w')]);
    expect(timer.timed).toHaveLength(0);
    timer.add([word(0.3, 4)]);
    expect(timer.timed).toMatchObject([{ start: 0, end: 0.3 }]);
  });
});
