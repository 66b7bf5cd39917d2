import { expect, test } from 'vitest';
import type { RecalledWord } from '../recall/match.ts';
import type { RecallDocument } from '../recall/recall-store.ts';
import type { ReadFile } from '../uploads/uploads.ts';
import { textOf, transcribe, undecodedAudio, unrecognisedSpeech } from './transcription.ts';

const file: ReadFile = {
  container: 'wav',
  codec: 'pcm',
  sampleRate: 8000,
  channels: 1,
  duration: 10,
  cut: false,
  decoded: true,
  voice: [],
  frames: new Uint32Array(0),
};

function documentOf(text: string, words: readonly string[], language = 'en'): RecallDocument {
  const timed = words.map((word, index) => ({ text: word, start: index / 2, end: index / 2 + 0.4 }));
  return { origin: 'echo', text, words: timed, language, frames: new Uint32Array(0) };
}

/** All words of a document, heard this many seconds into the recording. */
const wordsOf = (document: RecallDocument, offset: number): RecalledWord[] =>
  document.words.map(({ start, end }, index) => ({
    document,
    index,
    start: start + offset,
    end: end + offset,
  }));

const options = { ignoreTimestamps: false };
const short = documentOf('Go on, please.', ['Go', 'on', 'please']);

test('gives a part of a text the punctuation that belongs to it', () => {
  const quoted = documentOf('“Stop,” he said (twice). “Now!”', ['Stop', 'he', 'said', 'twice', 'Now']);
  expect(textOf(quoted, 0, 4)).toBe('“Stop,” he said (twice). “Now!”');
  expect(textOf(quoted, 1, 2)).toBe('he said');
  expect(textOf(quoted, 1, 3)).toBe('he said (twice).');
  expect(textOf(quoted, 0, 0)).toBe('“Stop,”');
});

test('writes words on their own if the text spells them differently', () => {
  expect(textOf(documentOf('Room 12', ['Room', 'twelve']), 0, 1)).toBe('Room twelve');
});

test('puts texts together with spaces, and without where the script has none', () => {
  const chinese = documentOf('你好。', ['你', '好'], 'zh');
  const words = [...wordsOf(chinese, 0), ...wordsOf(chinese, 2), ...wordsOf(short, 5)];
  const { transcription } = transcribe(file, words, options);
  expect(transcription.text).toBe('你好。你好。 Go on, please.');
  expect(transcription.language_code).toBe('zh');
});

test('says once in the text, and in a segment each, that there is a voice', () => {
  const voice = [
    { start: 0, end: 1 },
    { start: 1.5, end: 2.5 },
    { start: 4, end: 9.5 },
  ];
  const { transcription, sources } = transcribe({ ...file, voice }, wordsOf(short, 4), options);
  expect(transcription.text).toBe(`${unrecognisedSpeech} Go on, please. ${unrecognisedSpeech}`);
  expect(transcription.segments.map(({ text }) => text)).toEqual([
    unrecognisedSpeech,
    unrecognisedSpeech,
    'Go',
    'on',
    'please',
    unrecognisedSpeech,
  ]);
  expect(transcription.segments.at(-1)).toMatchObject({ start: 5.7, end: 9.5 });
  expect(sources).toEqual(['placeholder', 'echo']);
});

test('says of a recording that was only measured that it was not heard', () => {
  const { transcription, sources } = transcribe({ ...file, decoded: false }, [], options);
  expect(transcription).toEqual({
    text: undecodedAudio,
    duration: 10,
    segments: [{ text: undecodedAudio, start: 0, end: 10 }],
  });
  expect(sources).toEqual(['placeholder']);
});
