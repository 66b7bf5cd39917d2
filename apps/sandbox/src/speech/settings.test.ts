import { beforeAll, describe, expect, test } from 'vitest';
import { sharedSpeech as service } from '../testing/shared-speech.ts';
import { profileForVoice } from './prosody.ts';
import { type JobChanges, jobFor, level, samplesOf, speak } from './testing/speak.ts';

/** Hz, of what is measured. */
const sampleRate = 8000;
const sentence = 'I will meet you at the old harbour in the morning, before the ferry leaves.';
const english = `${sentence} And then we will see what the day has brought to us.`;

beforeAll(() => service.ready(), 60_000);

interface Heard {
  readonly bytes: Buffer;
  readonly words: readonly { readonly text: string; readonly start: number; readonly end: number }[];
  readonly seconds: number;
  /** Hz. */
  readonly pitch: number;
  /** dB. */
  readonly loudness: number;
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
    pitch: pitchOf(samples),
    loudness: 20 * Math.log10(level(samples, sampleRate, words[0]?.start ?? 0, words.at(-1)?.end ?? end)),
  };
}

/** The median over windows of 40 ms of the pitch, at which a voiced sound is most like itself a period later. */
function pitchOf(samples: Int16Array): number {
  const pitches: number[] = [];
  for (let start = 0; start + 480 < samples.length; start += 160) {
    const likeness = (lag: number) => {
      let [product, power, laterPower] = [0, 1, 1];
      for (let index = start; index < start + 320; index += 1) {
        const [here, later] = [samples[index] ?? 0, samples[index + lag] ?? 0];
        product += here * later;
        power += here ** 2;
        laterPower += later ** 2;
      }
      return power < 320 * 200 ** 2 ? 0 : product / Math.sqrt(power * laterPower);
    };
    const lags = Array.from({ length: 114 }, (_, index) => likeness(index + 20));
    const best = Math.max(...lags);
    // Two periods later it is as much alike: the first lag that is nearly the best is the period.
    if (best > 0.6) pitches.push(sampleRate / (lags.findIndex((value) => value > 0.92 * best) + 20));
  }
  return pitches.sort((left, right) => left - right)[Math.floor(pitches.length / 2)] ?? 0;
}

const secondsOf = (heard: Heard, word: string) => {
  const found = heard.words.find(({ text }) => text === word);
  return (found?.end ?? 0) - (found?.start ?? 0);
};

describe('tags in the text', () => {
  test.each(['s2-pro', 's1'] as const)(
    'change pitch, pace and volume on %s, and are neither spoken nor aligned',
    async (model) => {
      const tagged = (tag: string) =>
        hear(`${model === 's1' ? `(${tag})` : `[${tag}]`} ${sentence}`, { model });
      const plain = await hear(sentence, { model });
      const [excited, sad, whispering, shouting, hurried] = [
        await tagged('excited'),
        await tagged('sad'),
        await tagged('Whispering'),
        await tagged('shouting'),
        await tagged('in a hurry tone'),
      ];
      expect(excited.pitch / plain.pitch).toBeGreaterThan(1.1);
      expect(sad.pitch / plain.pitch).toBeLessThan(0.92);
      expect(excited.seconds / plain.seconds).toBeLessThan(0.95);
      expect(sad.seconds / plain.seconds).toBeGreaterThan(1.1);
      expect(hurried.seconds / plain.seconds).toBeLessThan(0.85);
      expect(whispering.loudness - plain.loudness).toBeLessThan(-6);
      expect(shouting.loudness - plain.loudness).toBeGreaterThan(3);
      for (const heard of [excited, sad, whispering, shouting, hurried]) {
        expect(heard.words.map(({ text }) => text)).toEqual(plain.words.map(({ text }) => text));
      }
    },
  );

  test('are silence where they ask for it', async () => {
    const gap = ({ words }: Heard) => (words[2]?.start ?? 0) - (words[1]?.end ?? 0);
    expect(gap(await hear('We wait and see.'))).toBeLessThan(0.15);
    expect(gap(await hear('We wait [short pause] and see.'))).toBeGreaterThan(0.29);
    expect(gap(await hear('We wait [long-break] and see.'))).toBeGreaterThan(1.1);
    expect((await hear('[break] We wait.')).words[0]?.start).toBeGreaterThan(0.5);
  });

  test('are not said on the S2 family, whatever their words are', async () => {
    const { words } = await hear('So [like a tired captain] it is.', { model: 's2-pro' });
    expect(words.map((word) => word.text)).toEqual(['So', 'it', 'is']);
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
      // Nothing else in the sentence is said otherwise.
      const rest = (heard: Heard) =>
        heard.words.filter((word) => word.text !== number).map(({ start, end }) => end - start);
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

  test('leaves the voice as it was in the chunks before, unless these are not to be looked at', async () => {
    const text = Array.from(
      { length: 5 },
      () => 'We will meet again at the old harbour in the morning.',
    ).join(' ');
    const lengths = async (condition_on_previous_chunks: boolean) => {
      const job = jobFor(
        text.replaceAll('again', () => `again${marks.next().value ?? ''}`),
        {
          latency: 'low',
          temperature: 1,
          top_p: 1,
          condition_on_previous_chunks,
        },
      );
      const { chunks } = await speak(service, job);
      expect(chunks).toHaveLength(5);
      return chunks.map(
        ({ alignment }) => (alignment?.segments.at(-1)?.end ?? 0) - (alignment?.segments[0]?.start ?? 0),
      );
    };
    const spread = (values: readonly number[]) => Math.max(...values) / Math.min(...values) - 1;
    // Signs that are not spoken make the chunks differ.
    let marks = Array.from(['', ',', ' ,', ',,', ' ,,']).values();
    const steady = spread(await lengths(true));
    marks = Array.from(['', ',', ' ,', ',,', ' ,,']).values();
    expect(spread(await lengths(false))).toBeGreaterThan(steady + 0.03);
  });
});

describe('latency', () => {
  test('decides how soon the first piece leaves, and how fine the pieces are', async () => {
    const shape = async (latency: 'low' | 'balanced' | 'normal') => {
      const { pieces, audio, chunks } = await speak(
        service,
        jobFor(`${english} ${english}`, { latency, sample_rate: sampleRate }),
      );
      const seconds = (bytes: number) => bytes / 2 / sampleRate;
      return {
        first: seconds(pieces[0]?.audio.length ?? 0),
        mean: seconds(audio.length / pieces.length),
        chunks: chunks.length,
        snapshots: new Set(pieces.map(({ alignment }) => JSON.stringify(alignment))).size,
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
});

describe('min_chunk_length', () => {
  test('keeps short sentences together', async () => {
    const count = async (min_chunk_length: number) =>
      (
        await speak(
          service,
          jobFor('Yes. Never. Maybe. We do not know yet.', { latency: 'low', min_chunk_length }),
        )
      ).chunks.length;
    expect(await count(0)).toBe(4);
    expect(await count(100)).toBe(1);
  });
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

  test('is short of nothing at its default, and leaves a short silence at 0', async () => {
    const long = await speak(
      service,
      jobFor('天'.repeat(300), { speakers: [profileForVoice('sandbox-mei')] }),
    );
    expect(long.words).toHaveLength(300);
    const none = await speak(service, jobFor(sentence, { max_new_tokens: 0 }));
    expect(none.words).toEqual([]);
    expect(none.end).toBeLessThan(0.5);
  });
});

describe('a voice', () => {
  test('sounds different from others, and the same each time', async () => {
    const ids = [
      'sandbox-alba',
      'sandbox-blake',
      'sandbox-cleo',
      'sandbox-mei',
      'some-voice',
      'another-voice',
    ];
    const heard = new Map<string, Heard>();
    for (const id of ids) heard.set(id, await hear(sentence, { speakers: [profileForVoice(id)] }));
    const prints = [...heard.values()].map(
      ({ pitch, seconds }) => `${pitch.toFixed(0)} ${seconds.toFixed(2)}`,
    );
    expect(new Set(prints).size).toBe(ids.length);
    for (const id of ids) {
      const again = await hear(sentence, { speakers: [profileForVoice(id)] });
      expect(again.bytes.equals(heard.get(id)?.bytes ?? Buffer.alloc(0))).toBe(true);
    }
  });
});
