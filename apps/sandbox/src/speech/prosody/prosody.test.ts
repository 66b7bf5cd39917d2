import { expressions } from '@speech-api/types';
import { describe, expect, it } from 'vitest';
import { jobFor } from '../testing/speak.ts';
import { mostSeconds } from './audio-tokens.ts';
import { effectOfTag } from './direction.ts';
import { pauseAfterChunk, pauseBetween } from './pauses.ts';
import { profileFromClips } from './profile-from-clips.ts';
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
      JSON.stringify(variationOf(jobFor(`${index}`), voice, 'Hi')),
    );
    expect(new Set(drawn).size).toBeGreaterThan(5);
  });

  it('is that of the whole request, or of the chunk where the chunks before it do not count', () => {
    const drawn = (condition_on_previous_chunks: boolean) => {
      const job = jobFor('One. Two.', { condition_on_previous_chunks });
      return ['One.', 'Two.'].map((chunk) => variationOf(job, voice, chunk));
    };
    const [first, second] = drawn(true);
    expect(first).toEqual(second);
    const [one, two] = drawn(false);
    expect(one).not.toEqual(two);
  });

  it('is flat and always the same at temperature 0', () => {
    const job = jobFor('Hi', { temperature: 0 });
    const other = jobFor('Ho', { temperature: 0 });
    expect(JSON.stringify(variationOf(job, voice, 'one'))).toBe(
      JSON.stringify(variationOf(other, voice, 'two')),
    );
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

describe('profileFromClips', () => {
  const profile = (pitch?: number, syllableRate?: number) =>
    profileFromClips('a clip', [{ pitch, syllableRate }]);

  it('is higher for a higher voice, and another variant where one does not reach', () => {
    const pitches = [70, 90, 110];
    expect(new Set(pitches.map((pitch) => profile(pitch).variant)).size).toBeLessThan(3);
    expect(profile(90).variant).not.toBe(profile(300).variant);
    for (const pitch of [20, 70, 90, 110, 150, 200, 300, 900]) {
      expect(profile(pitch).pitch).toBeGreaterThanOrEqual(0);
      expect(profile(pitch).pitch).toBeLessThanOrEqual(99);
    }
  });

  it('is faster for a faster one, within what any speed leaves room for', () => {
    const rates = [1, 4, 5, 6, 20].map((syllables) => profile(undefined, syllables).rate);
    expect(rates).toEqual([...rates].sort((left, right) => left - right));
    expect(rates[0]).toBeGreaterThanOrEqual(120);
    expect(rates.at(-1)).toBeLessThanOrEqual(220);
  });

  it('hears Chinese as slower than English at as many syllables', () => {
    const clip = { pitch: 100, syllableRate: 4 };
    const english = profileFromClips('a', [{ ...clip, transcript: 'Good morning.' }]);
    const chinese = profileFromClips('a', [{ ...clip, transcript: '早上好。' }]);
    expect(chinese.rate).toBeGreaterThan(english.rate);
  });

  it('takes the middle of several clips', () => {
    const clips = [100, 102, 400].map((pitch) => ({ pitch, syllableRate: undefined }));
    expect(profileFromClips('a clip', clips)).toEqual(profile(102));
  });

  it('is the voice of the id where nothing was heard', () => {
    expect(profileFromClips('a clip', [{}])).toEqual(profileForVoice('a clip'));
    expect(profileFromClips('a clip', [])).toEqual(profileForVoice('a clip'));
  });
});

describe('the tags of the specification', () => {
  it.each(expressions.flatMap(({ kind, tags }) => tags.map((tag) => [tag, kind] as const)))(
    '%s has an effect',
    (tag, kind) => {
      const { direction, pause } = effectOfTag(tag) ?? {};
      expect(pause !== undefined && pause > 0).toBe(kind === 'pause' || kind === 'sound');
      if (kind !== 'pause') {
        expect(direction).not.toMatchObject({ pitch: 0, range: 0, rate: 1, decibels: 0 });
      }
    },
  );

  it('are known in any case, and nothing else is', () => {
    expect(effectOfTag(' Whispering ')).toEqual(effectOfTag('whispering'));
    expect(effectOfTag('as it were')).toBeUndefined();
    expect(effectOfTag('constructor')).toBeUndefined();
  });
});

describe('mostSeconds', () => {
  it('falls with the tokens and with the speed, and leaves the longest chunk whole by default', () => {
    expect(mostSeconds(80, 1)).toBe(10);
    expect(mostSeconds(80, 2)).toBe(5);
    expect(mostSeconds(-1, 1)).toBe(0);
    expect(mostSeconds(jobFor('').max_new_tokens, 1)).toBeGreaterThan(120);
  });
});
