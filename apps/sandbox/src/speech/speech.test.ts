import { beforeAll, describe, expect, test } from 'vitest';
import { sharedSpeech as service } from '../testing/shared-speech.ts';
import { profileForVoice } from './prosody.ts';
import { type JobChanges, jobFor, level, samplesOf, say, speak } from './testing/speak.ts';

const sentence = 'The quick brown fox jumps over the lazy dog, and then it rests for a while.';
const passage = [
  'It was the best of times, it was the worst of times, it was the age of wisdom.',
  'It was the epoch of belief, it was the season of light, it was the spring of hope.',
  'We had everything before us, we had nothing before us, and all were going to Heaven.',
  'In short, the period was so far like the present that nobody could tell them apart.',
].join(' ');
/** Long enough for a level and a pace to show. */
const halfPassage = passage.slice(0, passage.indexOf(' We had'));

beforeAll(() => service.ready(), 60_000);

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}']+/gu) ?? [];

describe('the words', () => {
  test('are one a written token, however much of it is read out', async () => {
    const { words } = await speak(service, jobFor('It cost $3.50 on 3/4/2024, don’t you think?'));
    expect(words.map(({ text }) => text).join(' ')).toBe('It cost $3.50 on 3/4/2024 don’t you think');
    expect((words[2]?.end ?? 0) - (words[2]?.start ?? 0)).toBeGreaterThan(1);
  });
});

describe('the sound', () => {
  test('lasts as long as the speed says', async () => {
    const seconds = async (speed: number, changes: JobChanges = {}) =>
      (await speak(service, jobFor(changes.text ?? halfPassage, { ...changes, prosody: { speed } }))).end;
    for (const changes of [
      {},
      { text: '今天天气很好，我们一起去公园散步。春天的花都开了，孩子们非常高兴。' },
    ]) {
      const usual = await seconds(1, changes);
      expect((await seconds(0.5, changes)) / usual).toBeCloseTo(2, 0.8);
      expect((await seconds(2, changes)) / usual).toBeCloseTo(0.5, 1.2);
      expect((await seconds(1.5, changes)) / usual).toBeCloseTo(0.667, 1.2);
    }
  });

  test('is louder and softer by the decibels of volume', async () => {
    const loudness = async (volume: number, normalize_loudness: boolean) => {
      const { audio } = await speak(service, jobFor(sentence, { prosody: { volume, normalize_loudness } }));
      const samples = samplesOf(audio);
      return 20 * Math.log10(level(samples, 44100, 0, samples.length / 44100));
    };
    for (const normalize of [true, false]) {
      const usual = await loudness(0, normalize);
      expect((await loudness(-12, normalize)) - usual).toBeCloseTo(-12, 0);
      expect((await loudness(4, normalize)) - usual).toBeCloseTo(4, 0);
      expect((await loudness(-99, normalize)) - usual).toBeCloseTo(-20, 0);
    }
  });

  test('differs less between voices when loudness is normalized, on all models but s1', async () => {
    const spread = async (changes: JobChanges) => {
      const levels = await Promise.all(
        ['sandbox-alba', 'sandbox-blake', 'voice-7', 'voice-12'].map(async (id) => {
          const job = jobFor(halfPassage, {
            ...changes,
            speakers: [profileForVoice(id)],
            sample_rate: 16000,
          });
          const samples = samplesOf((await speak(service, job)).audio);
          return 20 * Math.log10(level(samples, 16000, 0, samples.length / 16000));
        }),
      );
      return Math.max(...levels) - Math.min(...levels);
    };
    const even = await spread({});
    const uneven = await spread({ prosody: { normalize_loudness: false } });
    expect(even).toBeLessThan(uneven * 0.6);
    expect(await spread({ model: 's1' })).toBeGreaterThan(uneven * 0.8);
  });

  test('is another with another voice, and the speakers of a dialogue take turns', async () => {
    const text = '<|speaker:0|>Hello there.<|speaker:1|>Hello there.<|speaker:0|>Hello there.';
    const speakers = [profileForVoice('sandbox-alba'), profileForVoice('sandbox-blake')];
    const { words, audio } = await speak(service, jobFor(text, { speakers, sample_rate: 16000 }));
    expect(words.map(({ text: word }) => word).join(' ')).toBe('Hello there Hello there Hello there');
    const samples = samplesOf(audio);
    const crossings = (start: number, end: number) => {
      const part = samples.subarray(start * 16000, end * 16000);
      return part.reduce(
        (count, sample, index) => count + (sample >= 0 !== (part[index - 1] ?? 0) >= 0 ? 1 : 0),
        0,
      );
    };
    const turns = [0, 2, 4].map((index) => crossings(words[index]?.start ?? 0, words[index + 1]?.end ?? 0));
    expect(Math.abs((turns[0] ?? 0) / (turns[2] ?? 1) - 1)).toBeLessThan(0.15);
    expect(Math.abs((turns[0] ?? 0) / (turns[1] ?? 1) - 1)).toBeGreaterThan(0.15);
  });

  test('is a short silence where there is nothing to say, and never nothing', async () => {
    for (const text of ['...', '😀', ' ', '<|speaker:0|>']) {
      const { audio, words, end } = await speak(service, jobFor(text));
      expect(words).toEqual([]);
      expect(end).toBeGreaterThan(0.2);
      expect(audio.length / 2 / 44100).toBeCloseTo(end, 2);
    }
    expect((await speak(service, jobFor('I'))).words).toHaveLength(1);
  });
});

describe('the pieces', () => {
  test('have audio each, begin without an alignment and end every chunk with all its words', async () => {
    for (const latency of ['low', 'balanced', 'normal'] as const) {
      const { pieces, chunks, words } = await speak(service, jobFor(passage, { latency, format: 'mp3' }));
      expect(pieces.every(({ audio }) => audio.length > 0)).toBe(true);
      expect(pieces[0]?.alignment).toBeNull();
      expect(chunks.map(({ chunk_seq }) => chunk_seq)).toEqual(chunks.map((_, index) => index));
      expect(chunks.map(({ content }) => content).join(' ')).toBe(passage);
      expect(words.map(({ text }) => text)).toEqual(wordsOf(passage));
    }
  });

  test('say where their chunk begins, which is where the one before it ends', async () => {
    const { chunks } = await speak(service, jobFor(passage, { latency: 'balanced', format: 'mp3' }));
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks[0]?.chunk_audio_offset_sec).toBe(0);
    chunks.slice(1).forEach((chunk, index) => {
      const before = chunks[index];
      const end = (before?.chunk_audio_offset_sec ?? 0) + (before?.alignment?.audio_duration ?? 0);
      expect(chunk.chunk_audio_offset_sec).toBeCloseTo(end, 2);
    });
  });
});

describe('mp3', () => {
  test('puts the words of mp3 where its decoders put the sound', async () => {
    const wav = await speak(service, jobFor(sentence, { format: 'wav' }));
    const mp3 = await speak(service, jobFor(sentence, { format: 'mp3' }));
    const shifts = mp3.words.map(({ start }, index) => start - (wav.words[index]?.start ?? 0));
    for (const shift of shifts) expect(shift).toBeCloseTo(1105 / 44100, 2);
  });
});

describe('the service', () => {
  test('speaks as fast as it is listened to, and no further', async () => {
    const abort = new AbortController();
    const pieces = say(service, jobFor(passage.repeat(10)), { signal: abort.signal })[Symbol.asyncIterator]();
    await pieces.next();
    const before = process.memoryUsage().arrayBuffers;
    await new Promise((resolve) => setTimeout(resolve, 300));
    // Four minutes of speech would be ten megabytes of the engine's samples.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2_000_000);
    await pieces.return?.(undefined);
  });

  test('stops when it is aborted, and speaks to the next', async () => {
    const abort = new AbortController();
    const listen = async () => {
      for await (const _ of say(service, jobFor(passage.repeat(10)), { signal: abort.signal }))
        abort.abort(new Error('enough'));
    };
    await expect(listen()).rejects.toThrow('enough');
    expect((await speak(service, jobFor('Hello.'))).words).toHaveLength(1);
  });
});
