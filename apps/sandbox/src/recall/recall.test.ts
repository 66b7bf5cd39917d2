import { beforeAll, describe, expect, test } from 'vitest';
import type { SpokenChunk } from '../speech/job.ts';
import { createResampler } from '../speech/output/resampler.ts';
import { profileForVoice } from '../speech/prosody.ts';
import { jobFor, say } from '../speech/testing/speak.ts';
import { openDatabase } from '../state/database.ts';
import { sharedSpeech as service } from '../testing/shared-speech.ts';
import { fingerprintOf, fingerprintRate } from './fingerprint.ts';
import { type RecalledWord, recallWords } from './match.ts';
import { createRecall } from './recall.ts';
import { type RecallDocument, RecallStore } from './recall-store.ts';

const english = ['sandbox-alba', 'sandbox-blake', 'sandbox-cleo', 'somebody'];
const subjects = 'tide,river,morning train,garden,letter,harbour,teacher,market'.split(',');
const verbs = 'comes in,turns slowly,waits for nobody,opens early,falls behind,keeps its promise'.split(',');
const tails = 'at seven,before the storm,near the old bridge,with great care,every single day'.split(',');
const saidInChinese = [
  '今天天气很好，我们去公园散步吧。',
  '火车早上七点开，请不要迟到。',
  '老师说明天没有课，大家可以休息。',
];
const unsaidInChinese = [
  '今天没有课，我们在公园看书。',
  '火车很高，老师可以休息。',
  '请给我一杯热茶，谢谢你。',
];

/** Sentences of one grammar, so that those not said are made of the same words and phrases as those said. */
function sentence(number: number): string {
  const pick = (list: readonly string[], step: number): string =>
    list[Math.floor(number * step) % list.length] ?? '';
  const half = (step: number): string =>
    `the ${pick(subjects, 3 * step)} ${pick(verbs, 5 * step)} ${pick(tails, 7 * step + 0.3)}`;
  return `${half(1)}, and ${half(1.7)}.`.replace('the', 'The');
}

const store = new RecallStore();
const signal = new AbortController().signal;
const spoken: {
  readonly text: string;
  readonly voice: string;
  readonly document: RecallDocument;
  readonly samples: Float32Array;
}[] = [];

async function soundOf(text: string, voice: string): Promise<{ chunk: SpokenChunk; samples: Float32Array }> {
  const chunks: SpokenChunk[] = [];
  const job = jobFor(text, { speakers: [profileForVoice(voice)] });
  for await (const _ of say(service, job, { signal, onSpoken: (chunk) => chunks.push(chunk) }));
  const [chunk] = chunks;
  if (!chunk || chunks.length > 1) throw new Error('one chunk was expected');
  const resampler = await createResampler(chunk.sampleRate, fingerprintRate);
  const floats = Float32Array.from(chunk.samples, (sample) => sample / 32768);
  const samples = Float32Array.from([...resampler.write(floats), ...resampler.end()]);
  resampler.free();
  return { chunk, samples };
}

const recall = (samples: Float32Array): Promise<RecalledWord[]> =>
  recallWords(fingerprintOf(samples), store, signal);
const textsOf = (words: readonly RecalledWord[]): string[] =>
  words.map(({ document, index }) => document.words[index]?.text ?? '');

beforeAll(async () => {
  const sentences = Array.from({ length: 16 }, (_, number) => sentence(number));
  const all = [
    ...sentences.map((text, number) => ({ text, voice: english[number % english.length] ?? '' })),
    ...saidInChinese.map((text) => ({ text, voice: 'sandbox-mei' })),
  ];
  for (const { text, voice } of all) {
    const { chunk, samples } = await soundOf(text, voice);
    const frames = fingerprintOf(samples);
    const document: RecallDocument = { origin: 'echo', text, words: chunk.words, language: 'en', frames };
    store.add(document);
    spoken.push({ text, voice, document, samples });
  }
}, 120_000);

describe('what was said', () => {
  test('is recalled word for word, in every voice and in Chinese', async () => {
    for (const { document, samples } of spoken) {
      expect(textsOf(await recall(samples))).toEqual(document.words.map(({ text }) => text));
    }
  });

  test('is recalled when it is quieter and lies between two frames', async () => {
    for (const { document, samples } of spoken) {
      const words = await recall(samples.subarray(64).map((sample) => sample / 4));
      expect(textsOf(words)).toEqual(document.words.map(({ text }) => text));
      for (const { index, start } of words)
        expect(start).toBeCloseTo((document.words[index]?.start ?? 0) - 0.008, 1);
    }
  });

  test('is not believed through noise as loud as the voice', async () => {
    let state = 1;
    for (const { samples } of spoken.slice(0, 4)) {
      const noisy = samples.map((sample) => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return sample + 0.15 * (state / 2 ** 31 - 1);
      });
      expect(textsOf(await recall(noisy))).toEqual([]);
    }
  });
});

describe('what was not said', () => {
  test('is not recalled, though it is made of the same words and phrases by the same voices', async () => {
    const texts = new Set(spoken.map(({ text }) => text));
    const unsaid = Array.from({ length: 60 }, (_, number) => sentence(number + 16)).filter(
      (text) => !texts.has(text),
    );
    const tried = [...new Set(unsaid)].slice(0, 24);
    expect(tried.length).toBeGreaterThanOrEqual(20);
    for (const [number, text] of tried.entries()) {
      const { samples } = await soundOf(text, english[number % english.length] ?? '');
      expect({ text, words: textsOf(await recall(samples)) }).toEqual({ text, words: [] });
    }
  });

  test('is not recalled in Chinese', async () => {
    for (const text of unsaidInChinese) {
      const { samples } = await soundOf(text, 'sandbox-mei');
      expect(textsOf(await recall(samples))).toEqual([]);
    }
  });
});

test('speech is recognised while the disk is full, and the process goes on', async () => {
  const database = openDatabase(':memory:');
  const log: string[] = [];
  const remembering = createRecall(new RecallStore({ database }), (line) => log.push(line));
  database.exec('PRAGMA query_only = ON');
  const [first] = spoken;
  if (first === undefined) throw new Error('nothing was said');
  for (const { text, voice } of spoken.slice(0, 2)) {
    const job = jobFor(text, { speakers: [profileForVoice(voice)] });
    for await (const _ of say(service, job, { signal, onSpoken: remembering.onSpoken }));
  }
  const words = await remembering.wordsIn(fingerprintOf(first.samples), signal);
  expect(textsOf(words).join(' ')).toContain('The');
  expect(log).toEqual([expect.stringMatching(/could not be kept for recognition.*readonly/)]);
  await remembering.close();
});
