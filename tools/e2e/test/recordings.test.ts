import { createOggPageWalker, finishWav, measureAudio, readWavHeader } from '@speech-api/audio';
import type { Fetch } from '@speech-api/client';
import { type LongSpeech, speakLong, transcribeRecording } from '@speech-api/recordings';
import type { AudioFormat } from '@speech-api/types';
import { expect, test } from 'vitest';
import { useOwnSandbox } from './testing/use-sandbox.ts';

const service = useOwnSandbox();

const sentences = [
  'The ferry leaves at noon, and the gulls leave with it.',
  'On the far shore a lamp is lit, although nobody has lived there since spring.',
  'Three fishermen mend their nets and talk about the price of herring.',
  'A letter arrived yesterday, written in violet ink, with a stamp from Lisbon.',
  'Grandmother keeps the old compass in a drawer beneath the window.',
  'When the fog lifts, the mountains look close enough to touch.',
];
/** Some 70 seconds in which every sentence comes three times: real repetitions must stay. */
const text = [1, 2, 3]
  .flatMap((round) => [`Chapter ${['one', 'two', 'three'][round - 1]}.`, ...sentences])
  .join('\n\n');
/** One breath: no full stop or comma in some 40 seconds. */
const breathless = `${sentences.join(' ').replaceAll(/[.,]/g, '')} ${sentences.toReversed().join(' ').replaceAll(/[.,]/g, '')}`;

async function speak(words: string, format: AudioFormat, maximumCharacters: number) {
  const options = { maximumCharacters, timestamps: true };
  const speech: LongSpeech = speakLong(service.client(), { text: words, format }, options);
  const pieces: Uint8Array[] = [];
  for await (const piece of speech) pieces.push(piece);
  const bytes = new Uint8Array(Buffer.concat(pieces));
  return { speech, file: format === 'wav' ? finishWav(bytes) : bytes };
}

for (const format of ['wav', 'mp3', 'opus'] as const) {
  test(`a long text becomes one ${format} file, and in its parts every word is heard once, at its time`, async () => {
    const { speech, file } = await speak(text, format, 400);
    expect(speech.parts.length).toBeGreaterThanOrEqual(4);
    expect(measureAudio(file, format).seconds).toBeCloseTo(speech.duration, 1);
    expect(speech.segments.map(({ text: word }) => word.toLowerCase())).toEqual(wordsOf(text));
    expect(speech.toVtt()).toMatch(/^WEBVTT/);
    if (format === 'wav') expect(readWavHeader(file)?.declaredDataBytes).toBe(file.length - 44);
    if (format === 'opus') {
      const pages = createOggPageWalker().push(file);
      expect(pages.filter(({ isFirst }) => isFirst).length).toBe(1);
      expect(pages.filter(({ isLast }) => isLast).length).toBe(1);
      expect(pages.map(({ sequenceNumber }) => sequenceNumber)).toEqual([...pages.keys()]);
    }
    const parts: number[] = [];
    const transcript = await transcribeRecording(service.client(), file, {
      maximumSeconds: 20,
      onPart: ({ index }) => parts.push(index),
    });
    expect(parts).toEqual([...parts.keys()]);
    expect(parts.length).toBeGreaterThanOrEqual(4);
    expectWords(transcript.segments, speech.segments);
    expect(wordsOf(transcript.text)).toEqual(wordsOf(text));
    expect(Math.abs(transcript.duration - speech.duration)).toBeLessThan(0.2);
  });
}

test('where nobody pauses, the words of an overlap are there once', async () => {
  const { speech, file } = await speak(breathless, 'wav', 3000);
  const overlaps: number[] = [];
  const transcript = await transcribeRecording(service.client(), file, {
    maximumSeconds: 15,
    overlapSeconds: 4,
    onPart: ({ overlap }) => overlaps.push(overlap),
  });
  expect(overlaps.some((overlap) => overlap > 3)).toBe(true);
  expectWords(transcript.segments, speech.segments);
  expect(wordsOf(transcript.text)).toEqual(wordsOf(breathless));
});

const memo = new Uint8Array(30_000);
memo.set(new TextEncoder().encode('#!AMR\n'));

test('what cannot be cut and is small enough is sent as it is, under its name', async () => {
  const sent: File[] = [];
  const answer: Fetch = async (input, init) => {
    const audio = (await new Request(input, init).formData()).get('audio');
    if (audio instanceof File) sent.push(audio);
    return Response.json({ text: 'Hello.', duration: 2, segments: [{ text: 'Hello.', start: 0.5, end: 1 }] });
  };
  const file = new File([memo], 'memo.amr', { type: 'audio/amr' });
  const transcript = await transcribeRecording(service.client({ fetch: answer }), file);
  expect(transcript.toJSON()).toEqual({
    text: 'Hello.',
    duration: 2,
    segments: [{ text: 'Hello.', start: 0.5, end: 1 }],
  });
  expect(sent.map(({ name, type, size }) => [name, type, size])).toEqual([
    ['memo.amr', 'audio/amr', memo.length],
  ]);
});

interface Timed {
  readonly text: string;
  readonly start: number;
}

function expectWords(words: readonly Timed[], spoken: readonly Timed[]): void {
  expect(words.flatMap((word) => wordsOf(word.text))).toEqual(spoken.flatMap((word) => wordsOf(word.text)));
  const late = words.map(({ start }, index) => Math.abs(start - (spoken[index]?.start ?? 0)));
  expect(Math.max(...late)).toBeLessThan(0.2);
  const starts = words.map(({ start }) => start);
  expect(starts).toEqual(starts.toSorted((first, second) => first - second));
}

function wordsOf(words: string): string[] {
  return words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
