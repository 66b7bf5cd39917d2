import { expect, test } from 'vitest';
import { RecordingTranscript } from './index.ts';
import { joinTexts, type PartTranscript, placeTranscript, stitch } from './stitch.ts';

/** A part with one word per second, beginning at its start. */
function part(words: string, start: number, overlap: number, text = words): PartTranscript {
  const segments = words
    .split(' ')
    .filter(Boolean)
    .map((word, index) => ({ text: word, start: start + index, end: start + index + 0.7 }));
  return { index: 0, text, segments, turns: [], start, end: start + segments.length, overlap };
}

const heard = (parts: readonly PartTranscript[]): string =>
  stitch(parts)
    .segments.map(({ text }) => text)
    .join(' ');

test('a word that is said twice stays, even in the overlap', () => {
  expect(heard([part('no no no yes', 0, 0), part('no yes yes maybe', 2, 2)])).toBe('no no no yes yes maybe');
});

test('a word that was cut off at the end or the start of a part does not come through', () => {
  expect(heard([part('a b c d extra', 0, 0), part('ordinary d extraordinary f', 2, 3)])).not.toContain(
    'extra f',
  );
  expect(heard([part('a b c d extra', 0, 0), part('c d extraordinary f', 2, 3)])).toBe(
    'a b c d extraordinary f',
  );
});

test('case and punctuation do not hide that it is the same word', () => {
  const parts = [part('It rains. Then it', 0, 0), part('then, it stops.', 2, 2)];
  expect(stitch(parts).text).toMatch(/^It rains\. Then it stops\.$/i);
});

test('text keeps the spelling of the service where segments have none', () => {
  const left = part('the ferry leaves at', 0, 0, 'The ferry leaves, at');
  const right = part('leaves at noon', 2, 2, 'leaves, at noon!');
  expect(stitch([left, right]).text).toBe('The ferry leaves, at noon!');
});

test('where the sides agree in nothing, each is believed on its own side of the middle', () => {
  expect(heard([part('a b c d e f', 0, 0), part('x y z w v', 2, 4)])).toBe('a b c d z w v');
});

test('without an overlap, what a warm-up repeats is left out', () => {
  const right = { ...part('b c d', 1, 0), start: 2 };
  expect(heard([{ ...part('a b', 0, 0), end: 2 }, right])).toBe('a b c d');
});

test('times never decrease', () => {
  const left = {
    ...part('a', 0, 0),
    segments: [
      { text: 'a', start: 0, end: 1.6 },
      { text: 'b', start: 1.7, end: 2.1 },
    ],
    end: 2,
  };
  const right = { ...part('c', 2, 0), segments: [{ text: 'c', start: 1.4, end: 3 }] };
  const starts = stitch([left, right]).segments.map(({ start }) => start);
  expect(starts).toEqual([0, 1.7, 1.7]);
});

test('times are moved by where the file begins, and stay within the recording', () => {
  const transcription = {
    text: 'a b',
    duration: 3,
    segments: [
      { text: 'a', start: 0, end: 0.1 },
      { text: 'b', start: 2, end: 9 },
    ],
  };
  const placed = placeTranscript(transcription, { index: 0, offset: -0.025, start: 0, end: 3, overlap: 0 });
  expect(placed.segments).toEqual([
    { text: 'a', start: 0, end: 0.1 - 0.025 },
    { text: 'b', start: 1.975, end: 3 },
  ]);
});

test('Chinese is joined without a space, everything else with one', () => {
  expect(joinTexts(['你好。', '再见。'])).toBe('你好。再见。');
  expect(joinTexts(['Hello.', '', 'Goodbye.'])).toBe('Hello. Goodbye.');
});

/** A part with two speakers and one word per second; the service numbers speakers anew in each part. */
function meeting(index: number, start: number, overlap: number, ...turns: readonly string[]): PartTranscript {
  const text = turns.map((words, speaker) => `<|speaker:${speaker % 2}|>${words}`).join(' ');
  const words = turns.join(' ').split(' ');
  const segments = words.map((word, place) => ({
    text: word.replaceAll(/[^a-z]/gi, ''),
    start: place,
    end: place + 0.7,
  }));
  const end = start + words.length;
  return placeTranscript(
    { text, duration: words.length, segments },
    { index, offset: start, start, end, overlap },
  );
}

test('turns carry their part, and are cut once in an overlap, as segments are', () => {
  const { text, turns, segments } = stitch([
    meeting(0, 0, 0, 'Good day.', 'And to you, Sir.'),
    meeting(1, 4, 2, 'you, Sir. Thank you.', 'Not at all.'),
  ]);
  expect(text).toBe('Good day. And to you, Sir. Thank you. Not at all.');
  expect(turns).toEqual([
    { part: 0, speaker: 'speaker:0', text: 'Good day.', start: 0, end: 1.7 },
    { part: 0, speaker: 'speaker:1', text: 'And to you,', start: 2, end: 4.7 },
    { part: 1, speaker: 'speaker:0', text: 'Sir. Thank you.', start: 5, end: 7.7 },
    { part: 1, speaker: 'speaker:1', text: 'Not at all.', start: 8, end: 10.7 },
  ]);
  expect(turns.map((turn) => turn.text).join(' ')).toBe(text);
  const transcript = new RecordingTranscript({ text, duration: 11, segments, speaker_turns: turns }, true);
  expect(transcript.toParagraphs().map((paragraph) => paragraph.text)).toEqual([
    'Good day.',
    'And to you,',
    'Sir. Thank you.',
    'Not at all.',
  ]);
  expect(transcript.toSrt()).toContain('And to you,');
});

test('parts without times overlap once, too, and the transcript says that it has none', () => {
  const without = (part: PartTranscript): PartTranscript => ({ ...part, segments: [] });
  const words = Array.from({ length: 40 }, (_, index) => `word${String.fromCodePoint(0x430 + index)}`);
  const [left, right] = [words.slice(0, 25).join(' '), words.slice(19).join(' ')];
  const { text, segments, hasTimes } = stitch([
    without(part(left, 0, 0)),
    // The words are spoken more slowly than their estimated times suggest.
    { ...without(part(right, 19, 6)), end: 60 },
  ]);
  expect(text).toBe(words.join(' '));
  expect([segments, hasTimes]).toEqual([[], false]);
  expect(stitch([part(left, 0, 0)]).hasTimes).toBe(true);
});

test('a cue such as laughter stays where a part is cut', () => {
  const cut = stitch([part('a b c d e', 0, 0, 'A, [laughter] b c. d e'), part('d e f g', 3, 2)]);
  expect(cut.text).toMatch(/^A, \[laughter\] b c\. d/);
});
