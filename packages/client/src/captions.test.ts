import { Timeline } from '@speech-api/streaming';
import { expect, test } from 'vitest';
import { type TimedTranscript, toSrt, toVtt } from './captions.ts';

test('a transcript becomes WebVTT, cut as the options say', () => {
  const segments = [{ text: 'A first sentence, long enough to need two lines & more.', start: 0, end: 4 }];
  expect(toVtt({ segments }, { lineLength: 30 })).toContain(
    '\nA first sentence, long enough\nto need two lines &amp; more.\n',
  );
});

test('the transcript of silence has no captions', () => {
  expect(toVtt({ segments: [], text: '' })).toBe('WEBVTT\n');
});

test('a timeline has the captions that it writes itself, and none before it has words', () => {
  const timeline = new Timeline();
  expect(() => toSrt(timeline)).toThrow('the timeline has no words yet');
  timeline.apply({ type: 'end' });
  expect(toSrt(timeline)).toBe('');
  const alignment = { audio_duration: 1, segments: [{ text: 'Hi', start: 0, end: 1 }] };
  timeline.apply({
    type: 'alignment-update',
    chunk_seq: 0,
    content: 'Hi!',
    chunk_audio_offset_sec: 0,
    alignment,
  });
  expect(toSrt(timeline)).toBe('1\n00:00:00,000 --> 00:00:01,000\nHi!\n');
  expect(toVtt(timeline)).toBe(timeline.toVtt());
});

test('a transcript without segments is refused, with how they are had', () => {
  const untimed = { text: 'Good morning.', segments: [] };
  for (const transcript of [
    { text: 'Good morning.' },
    untimed,
    { segments: [] },
    'Good morning.',
    undefined,
    null,
  ]) {
    const given = transcript as unknown as TimedTranscript;
    expect(() => toVtt(given)).toThrow(
      'the transcript has no segments; transcribe with ignore_timestamps: false',
    );
    expect(() => toSrt(given)).toThrow(TypeError);
  }
});

test.each([
  [2, 1],
  [-1, 1],
])('a segment from %d s to %d s becomes no caption', (start, end) => {
  const transcript = { segments: [{ text: 'Hi', start, end }] };
  expect(() => toVtt(transcript)).toThrow(`"Hi" is from ${start} s to ${end} s`);
});

test('words of a transcript have the spaces and the punctuation of its text', () => {
  const segments = ['hello', 'world'].map((text, at) => ({ text, start: at / 2, end: (at + 1) / 2 }));
  for (const write of [toSrt, toVtt]) {
    expect(write({ text: 'Hello, world!', segments })).toContain('\nHello, world!\n');
    expect(write({ segments })).toContain('\nhello world\n');
  }
});
