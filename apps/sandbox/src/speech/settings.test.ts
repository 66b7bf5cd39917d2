import { beforeAll, describe, expect, test } from 'vitest';
import { sharedSpeech as service } from '../testing/shared-speech.ts';
import { profileForVoice } from './prosody.ts';
import { type JobChanges, jobFor, samplesOf, speak } from './testing/speak.ts';

/** Sample rate of the measurement, in Hz. */
const sampleRate = 8000;
const sentence = 'I will meet you at the old harbour in the morning, before the ferry leaves.';
const english = `${sentence} And then we will see what the day has brought to us.`;

beforeAll(() => service.ready(), 60_000);

interface Heard {
  readonly bytes: Buffer;
  readonly words: readonly { readonly text: string; readonly start: number; readonly end: number }[];
  readonly seconds: number;
  /** Zero crossings, which distinguish voices. */
  readonly crossings: number;
}

/** Speaks a text, without the variation of temperature unless a test asks for it. */
async function hear(text: string, changes: JobChanges = {}): Promise<Heard> {
  const { audio, words, end } = await speak(
    service,
    jobFor(text, { temperature: 0, sample_rate: sampleRate, ...changes }),
  );
  const samples = samplesOf(audio);
  return {
    bytes: Buffer.from(audio),
    words,
    seconds: end,
    crossings: samples.reduce(
      (sum, sample, index) => sum + (sample >= 0 !== (samples[index - 1] ?? 0) >= 0 ? 1 : 0),
      0,
    ),
  };
}

const secondsOf = (speech: Heard, word: string) => {
  const match = speech.words.find(({ text }) => text === word);
  return (match?.end ?? 0) - (match?.start ?? 0);
};

describe('tags in the text', () => {
  test('are neither spoken nor aligned on the S2 family, whatever their words are, nor those of the list on s1', async () => {
    const wordsOf = async (text: string, model: string) =>
      (await hear(text, { model })).words.map((word) => word.text);
    expect(await wordsOf('So [like a tired captain] it [sad] is.', 's2-pro')).toEqual(['So', 'it', 'is']);
    expect(await wordsOf('So (sad) it is.', 's1')).toEqual(['So', 'it', 'is']);
  });

  test('are silence where they ask for it', async () => {
    const gap = ({ words }: Heard) => (words[2]?.start ?? 0) - (words[1]?.end ?? 0);
    expect(gap(await hear('We wait and see.'))).toBeLessThan(0.15);
    expect(gap(await hear('We wait [short pause] and see.'))).toBeGreaterThan(0.29);
    expect(gap(await hear('We wait [long-break] and see.'))).toBeGreaterThan(1.1);
    expect((await hear('[break] We wait.')).words[0]?.start).toBeGreaterThan(0.5);
  });
});

describe('normalize', () => {
  test.each([
    ['It was in 2024 here.', '2024'],
    ['It cost $3.50 here.', '$3.50'],
    ['价格是2024元。', '2024'],
  ])(
    'reads the number of "%s" as one, and digit by digit without it, in the place of the written token',
    async (text, number) => {
      const [read, raw] = [await hear(text), await hear(text, { normalize: false })];
      expect(read.words.map((word) => word.text)).toEqual(raw.words.map((word) => word.text));
      expect(read.words.map((word) => word.text)).toContain(number);
      expect(Math.abs(secondsOf(read, number) - secondsOf(raw, number))).toBeGreaterThan(0.06);
      // The rest of the sentence sounds the same.
      const rest = (speech: Heard) =>
        speech.words.filter((word) => word.text !== number).map(({ start, end }) => end - start);
      rest(read).forEach((seconds, index) => {
        expect(Math.abs(seconds - (rest(raw)[index] ?? 0))).toBeLessThan(0.12);
      });
    },
  );
});

describe('variety', () => {
  test('grows with the temperature and with top_p, and is the same for the same request', async () => {
    const texts = ['One two three four.', 'One two three five.', 'One two three six.', 'One two three nine.'];
    const spread = async (changes: JobChanges) => {
      const starts: number[] = [];
      for (const text of texts) starts.push((await hear(text, changes)).words[2]?.end ?? 0);
      return Math.max(...starts) - Math.min(...starts);
    };
    const even = await spread({ temperature: 0, top_p: 1 });
    expect(await spread({ temperature: 1, top_p: 1 })).toBeGreaterThan(even + 0.02);
    expect(await spread({ temperature: 1, top_p: 0 })).toBeLessThan(even + 0.02);
    for (const temperature of [0, 0.7, 1]) {
      const first = await hear(sentence, { temperature });
      expect((await hear(sentence, { temperature })).bytes.equals(first.bytes)).toBe(true);
      if (temperature > 0)
        expect((await hear(sentence, { temperature, top_p: 0.1 })).bytes.equals(first.bytes)).toBe(false);
    }
  });
});

test('latency decides how soon the first piece leaves, and how fine the pieces are', async () => {
  const shape = async (latency: 'low' | 'balanced' | 'normal') => {
    const job = jobFor(`${english} ${english}`, { latency, sample_rate: sampleRate });
    const { pieces, audio, chunks } = await speak(service, job);
    const seconds = (bytes: number) => bytes / 2 / sampleRate;
    const snapshots = new Set(pieces.map(({ alignment }) => JSON.stringify(alignment)));
    return {
      first: seconds(pieces[0]?.audio.length ?? 0),
      mean: seconds(audio.length / pieces.length),
      chunks: chunks.length,
      snapshots: snapshots.size,
    };
  };
  const [low, balanced, normal] = [await shape('low'), await shape('balanced'), await shape('normal')];
  expect(low.first).toBeLessThanOrEqual(0.12);
  expect(balanced.first).toBeGreaterThan(low.first);
  expect(normal.first).toBeGreaterThan(balanced.first);
  expect(balanced.mean / low.mean).toBeGreaterThan(1.5);
  expect(normal.mean / balanced.mean).toBeGreaterThan(1.5);
  expect(low.snapshots).toBeGreaterThan(balanced.snapshots);
  expect(balanced.snapshots).toBeGreaterThan(normal.snapshots);
  expect(low.chunks).toBeGreaterThan(normal.chunks);
});

describe('max_new_tokens', () => {
  test('ends the audio of each chunk, with the words that are heard whole', async () => {
    const settings = { chunk_length: 100, max_new_tokens: 16 };
    const { chunks, words, pieces } = await speak(service, jobFor(english, settings));
    const whole = await speak(service, jobFor(english, { chunk_length: 100 }));
    expect(chunks.length).toBe(whole.chunks.length);
    expect(chunks.length).toBeGreaterThan(1);
    for (const { alignment } of chunks) {
      // Two seconds of speech, and the pause after it.
      expect(alignment?.audio_duration).toBeGreaterThan(1.9);
      expect(alignment?.audio_duration).toBeLessThan(2.5);
      for (const { end } of alignment?.segments ?? []) expect(end).toBeLessThanOrEqual(2.001);
    }
    expect(words.length).toBeLessThan(whole.words.length);
    expect(pieces.every(({ audio }) => audio.length > 0)).toBe(true);
  });
});

describe('a voice', () => {
  test('reads a text by the rules of its language', async () => {
    const texts = {
      de: 'Schöne Grüße, wie geht es Ihnen heute?',
      fr: 'Bonjour, comment allez-vous aujourd’hui ?',
    };
    for (const [language, text] of Object.entries(texts)) {
      const english = await hear(text);
      const native = await hear(text, {
        speakers: [{ ...profileForVoice('sandbox-blake'), languages: [language] }],
      });
      expect(native.words.map((word) => word.text)).toEqual(english.words.map((word) => word.text));
      // Silent letters are read out in English.
      expect(native.seconds).toBeLessThan(english.seconds - 0.1);
      expect(native.seconds).toBeGreaterThan(1);
    }
  });

  test('sounds different from others, and the same each time', async () => {
    const ids = [
      'sandbox-alba',
      'sandbox-blake',
      'sandbox-cleo',
      'sandbox-mei',
      'some-voice',
      'another-voice',
    ];
    const clips = new Map<string, Heard>();
    for (const id of ids) clips.set(id, await hear(sentence, { speakers: [profileForVoice(id)] }));
    const prints = [...clips.values()].map(({ crossings, seconds }) => `${crossings} ${seconds.toFixed(2)}`);
    expect(new Set(prints).size).toBe(ids.length);
    for (const id of ids) {
      const again = await hear(sentence, { speakers: [profileForVoice(id)] });
      expect(again.bytes.equals(clips.get(id)?.bytes ?? Buffer.alloc(0))).toBe(true);
    }
  });
});
