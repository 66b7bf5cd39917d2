import { expressions } from '@speech-api/types';
import { describe, expect, test } from 'vitest';
import { effectOfTag, pauseAfterChunk, pauseBetween, profileForVoice } from './prosody.ts';

describe('profileForVoice', () => {
  test('is the same for the same id and another for another', () => {
    const sound = (id: string) => JSON.stringify({ ...profileForVoice(id), id: undefined, seed: undefined });
    expect(sound('a')).toBe(sound('a'));
    const sounds = new Set(Array.from({ length: 100 }, (_, index) => sound(`voice-${index}`)));
    expect(sounds.size).toBeGreaterThan(97);
  });
});

describe('the pauses', () => {
  test('follow the mark at the end, a change of speaker, and the speed', () => {
    expect(pauseBetween('It ends. ', false, 1)).toBe(pauseAfterChunk('sentence', 1));
    expect(pauseBetween('“它完了。”', false, 1)).toBe(pauseAfterChunk('sentence', 1));
    expect(pauseBetween('first, ', false, 1)).toBe(pauseAfterChunk('clause', 1));
    expect(pauseBetween('the word ', false, 1)).toBe(0);
    expect(pauseBetween('the word ', true, 1)).toBeGreaterThan(0.2);
    expect(pauseBetween('It ends. ', false, 2)).toBe(pauseAfterChunk('sentence', 1) / 2);
  });
});

describe('the tags of the specification', () => {
  test.each(expressions.flatMap(({ kind, tags }) => tags.map((tag) => [tag, kind] as const)))(
    '%s has an effect',
    (tag, kind) => {
      const { direction, pause } = effectOfTag(tag) ?? {};
      expect(pause !== undefined && pause > 0).toBe(kind === 'pause' || kind === 'sound');
      if (kind !== 'pause') {
        expect(direction).not.toMatchObject({ pitch: 0, range: 0, rate: 1, decibels: 0 });
      }
    },
  );

  test('are known in any case, and nothing else is', () => {
    expect(effectOfTag(' Whispering ')).toEqual(effectOfTag('whispering'));
    expect(effectOfTag('as it were')).toBeUndefined();
    expect(effectOfTag('constructor')).toBeUndefined();
  });
});
