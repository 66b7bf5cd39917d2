import { expressions } from '@speech-api/types';
import { describe, expect, test } from 'vitest';
import { pauseAfterChunk, pauseBetween, pauseOfTag, profileForVoice } from './prosody.ts';

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

test('the tags of the specification are known in any case, those of a pause by its length, and nothing else is', () => {
  for (const { kind, tags } of expressions) {
    for (const tag of tags) expect(pauseOfTag(tag), tag).toBeGreaterThanOrEqual(kind === 'pause' ? 0.3 : 0);
  }
  expect(pauseOfTag(' Long Pause ')).toBe(1.2);
  expect(pauseOfTag('as it were')).toBeUndefined();
  expect(pauseOfTag('constructor')).toBeUndefined();
});
