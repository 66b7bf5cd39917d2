import { createOggPageWalker, finishWav, measureAudio, readWavHeader } from '@speech-api/audio';
import { speakLong, transcribeRecording } from '@speech-api/recordings';
import type { AudioFormat } from '@speech-api/types';
import { expect, test } from 'vitest';
import { useOwnSandbox } from './testing/use-sandbox.ts';

const service = useOwnSandbox();
const paragraphs = [
  'The ferry leaves at noon, and the gulls leave with it. Nobody waves from the pier.',
  'On the far shore a lamp is lit, although nobody has lived there since spring.',
  'Three fishermen mend their nets and talk about the price of herring. One of them laughs.',
  'A letter arrived yesterday, written in violet ink, with a stamp from Lisbon.',
];
const text = paragraphs.join('\n\n');

async function read(speech: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  for await (const piece of speech) pieces.push(piece);
  return new Uint8Array(pieces.flatMap((piece) => [...piece]));
}

for (const format of ['wav', 'mp3', 'opus'] as const satisfies readonly AudioFormat[]) {
  test(`a long text becomes one ${format} file with one timeline`, async () => {
    const speech = speakLong(
      service.client(),
      { text, format },
      { maximumCharacters: 100, timestamps: true },
    );
    expect(speech.parts.length).toBe(4);
    const bytes = await read(speech);
    const file = format === 'wav' ? finishWav(bytes) : bytes;
    expect(measureAudio(file, format).seconds).toBeCloseTo(speech.duration, 1);
    expect(speech.segments.map(({ text: word }) => word)).toEqual(wordsOf(text));
    // The file says the words when the timeline says so.
    const heard = await transcribeRecording(service.client(), file);
    expect(heard.segments.flatMap((word) => wordsOf(word.text))).toEqual(wordsOf(text).flatMap(wordsOf));
    const late = heard.segments.map(({ start }, index) =>
      Math.abs(start - (speech.segments[index]?.start ?? 0)),
    );
    expect(Math.max(...late)).toBeLessThan(0.2);
    expect(speech.toVtt()).toMatch(/^WEBVTT/);
    if (format === 'wav') expect(readWavHeader(file)?.declaredDataBytes).toBe(file.length - 80);
    if (format === 'opus') {
      const pages = createOggPageWalker().push(file);
      expect(pages.filter(({ isFirst }) => isFirst).length).toBe(1);
      expect(pages.filter(({ isLast }) => isLast).length).toBe(1);
      expect(pages.map(({ sequenceNumber }) => sequenceNumber)).toEqual([...pages.keys()]);
    }
  });
}

function wordsOf(words: string): string[] {
  return words.match(/[\p{L}\p{N}]+/gu) ?? [];
}
