import { latencyModes } from '@speech-api/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedSpeech as service } from '../testing/shared-speech.ts';
import { profileForVoice } from './prosody.ts';
import { jobFor, level, samplesOf, speak } from './testing/speak.ts';

const sampleRate = 16000;
/** Each sentence reaches the minimum length of a chunk, so that low latency makes it one. */
const texts = {
  English: {
    voice: 'sandbox-blake',
    sentences: [
      'Please wait until the ferry has left the old harbour.',
      'It cost 3 dollars, and nobody knew why it was so cheap.',
      'Nothing more is known about it by anybody here today.',
    ],
  },
  Chinese: {
    voice: 'sandbox-mei',
    sentences: [
      '今天天气很好，我们一起去公园散步，孩子们也都非常高兴。',
      '他说价格是3元，大家都不知道为什么会这么便宜。',
      '明天早上我们再去看看，希望天气还是这么好。',
    ],
  },
};

beforeAll(() => service.ready(), 60_000);

describe.each(Object.entries(texts))('the times of %s', (_language, { voice, sentences }) => {
  test.each(latencyModes)(
    'agree with the sound at latency %s: speech in every word, silence between the sentences',
    async (latency) => {
      const job = jobFor(sentences.join(' '), {
        latency,
        min_chunk_length: 20,
        sample_rate: sampleRate,
        speakers: [profileForVoice(voice)],
      });
      const { words, audio, chunks, end } = await speak(service, job);
      const samples = samplesOf(audio);
      expect(audio.length / 2 / sampleRate).toBeCloseTo(end, 2);
      for (const { text, start, end: stop } of words) {
        expect(stop, text).toBeGreaterThan(start);
        expect(level(samples, sampleRate, start, stop), text).toBeGreaterThan(300);
      }
      const perSentence = sentences.map((sentence) => wordsIn(sentence));
      expect(words.map(({ text }) => text)).toEqual(perSentence.flat());
      let last = -1;
      for (const sentence of perSentence.slice(0, -1)) {
        last += sentence.length;
        const [silenceStart, silenceEnd] = [
          (words[last]?.end ?? 0) + 0.03,
          (words[last + 1]?.start ?? 0) - 0.005,
        ];
        expect(silenceEnd - silenceStart).toBeGreaterThan(0.1);
        expect(level(samples, sampleRate, silenceStart, silenceEnd)).toBeLessThan(60);
      }
      expect(chunks.length).toBe(latency === 'normal' ? 1 : sentences.length);
    },
  );
});

/** The words as the stream reports them: words, numbers, single Chinese characters. */
function wordsIn(sentence: string): string[] {
  return sentence.match(/\p{Script=Han}|[a-z]+|\d+/giu) ?? [];
}
