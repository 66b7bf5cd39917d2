import { describe, expect, it } from 'vitest';
import { jobFor } from '../testing/speak.ts';
import { pauseAfterChunk, pauseBetween } from './pauses.ts';
import { engineRate } from './speaking-rate.ts';
import { variationOf } from './variation.ts';
import { profileForVoice } from './voice-profile.ts';

describe('profileForVoice', () => {
  it('is the same for the same id and another for another', () => {
    const sound = (id: string) => JSON.stringify({ ...profileForVoice(id), id: undefined, seed: undefined });
    expect(sound('a')).toBe(sound('a'));
    const sounds = new Set(Array.from({ length: 100 }, (_, index) => sound(`voice-${index}`)));
    expect(sounds.size).toBeGreaterThan(97);
  });

  it('speaks Chinese first where the voice is a Chinese one', () => {
    expect(profileForVoice('sandbox-mei').language).toBe('cmn');
  });
});

describe('engineRate', () => {
  it('is the own rate at speed 1', () => {
    for (const own of [160, 175, 184]) expect(engineRate(own, 1, 'en-us')).toBe(own);
  });

  it('rises with the speed and stays within what the engine takes', () => {
    const rates = [0.5, 0.75, 1, 1.5, 2].map((speed) => engineRate(184, speed, 'cmn'));
    expect(rates).toEqual([...rates].sort((left, right) => left - right));
    expect(Math.min(...rates)).toBeGreaterThanOrEqual(80);
    expect(Math.max(...rates)).toBeLessThanOrEqual(450);
  });
});

describe('variationOf', () => {
  const voice = profileForVoice('x');

  it('is drawn from the request: the same request varies alike', () => {
    expect(variationOf(jobFor('Hi'), voice, 'Hi')).toEqual(variationOf(jobFor('Hi'), voice, 'Hi'));
    const drawn = Array.from({ length: 20 }, (_, index) =>
      JSON.stringify(variationOf(jobFor('Hi'), voice, `${index}`)),
    );
    expect(new Set(drawn).size).toBeGreaterThan(5);
  });

  it('is flat and always the same at temperature 0', () => {
    const job = jobFor('Hi', { temperature: 0 });
    expect(variationOf(job, voice, 'one')).toEqual(variationOf(job, voice, 'two'));
    expect(variationOf(job, voice, 'one').range).toBeLessThan(variationOf(jobFor('Hi'), voice, 'one').range);
  });
});

describe('the pauses', () => {
  it('follow the mark at the end, a change of speaker, and the speed', () => {
    expect(pauseBetween('It ends. ', false, 1)).toBe(pauseAfterChunk('sentence', 1));
    expect(pauseBetween('“它完了。”', false, 1)).toBe(pauseAfterChunk('sentence', 1));
    expect(pauseBetween('first, ', false, 1)).toBe(pauseAfterChunk('clause', 1));
    expect(pauseBetween('the word ', false, 1)).toBe(0);
    expect(pauseBetween('the word ', true, 1)).toBeGreaterThan(0.2);
    expect(pauseBetween('It ends. ', false, 2)).toBe(pauseAfterChunk('sentence', 1) / 2);
  });
});
