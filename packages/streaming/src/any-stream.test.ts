import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectSpeech, readSpeechEvents } from './index.ts';
import { base64Of, bodyOf, bytesOf, cut, wireEvent } from './testing/streams.ts';

const time = fc.double({ min: 0, max: 1000, noNaN: true });
const alignment = fc.record({
  audio_duration: time,
  segments: fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }), start: time, end: time }), {
    maxLength: 4,
  }),
});
const event = fc.record({
  audio: fc.uint8Array({ maxLength: 40 }),
  content: fc.string({ unit: 'grapheme' }),
  alignment: fc.option(alignment),
  chunk_seq: fc.nat(3),
  chunk_audio_offset_sec: time,
  lineBreak: fc.constantFrom('\n', '\r', '\r\n'),
  before: fc.constantFrom('', ': comment', 'event: message', 'id: 5', 'retry: 3', 'unknown: x', 'data'),
  isPretty: fc.boolean(),
});
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { maxLength: 12 });

describe('any stream', () => {
  test('gives the audio and the timeline of its events, whatever the line breaks and the cuts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 8 }), cuts, async (events, fractions) => {
        const text = events.map(({ audio, lineBreak, before, isPretty, ...fields }) => {
          const payload = wireEvent({ ...fields, audio_base64: base64Of(audio) });
          const lines = JSON.stringify(payload, null, isPretty ? 1 : 0).split('\n');
          const head = before === '' ? [] : [before];
          return [...head, ...lines.map((line) => `data: ${line}`), '', ''].join(lineBreak);
        });
        const bytes = bytesOf(text.join(''));
        const positions = fractions
          .map((fraction) => Math.floor(fraction * bytes.length))
          .sort((a, b) => a - b);

        const speech = await collectSpeech(readSpeechEvents(bodyOf(cut(bytes, ...positions))));

        expect([...speech.audio]).toEqual(events.flatMap(({ audio }) => [...audio]));
        const latest = new Map(
          events.filter((one) => one.alignment !== null).map((one) => [one.chunk_seq, one]),
        );
        const chunks = [...latest.values()].sort((left, right) => left.chunk_seq - right.chunk_seq);
        expect(speech.timeline.chunks).toEqual(
          chunks.map(({ chunk_seq, content, chunk_audio_offset_sec, alignment }) => ({
            chunk_seq,
            content,
            chunk_audio_offset_sec,
            audio_duration: alignment?.audio_duration,
          })),
        );
        expect(speech.timeline.segments.length).toBe(
          chunks.flatMap((one) => one.alignment?.segments ?? []).length,
        );
      }),
      { numRuns: 300 },
    );
  });

  test('costs no memory for comments and lines that mean nothing, however long', async () => {
    let left = 3000;
    const filler = new Uint8Array(10_000).fill(32);
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          left -= 1;
          if (left === 2999) controller.enqueue(bytesOf(':'));
          else if (left > 0) controller.enqueue(filler);
          else {
            controller.enqueue(
              bytesOf(`\n\ndata: ${JSON.stringify(wireEvent({ audio_base64: 'AQ==' }))}\n\n`),
            );
            controller.close();
          }
        },
      },
      { highWaterMark: 0 },
    );
    // Thirty megabytes of comment with a limit of a thousand characters an event.
    const speech = await collectSpeech(readSpeechEvents(body, { maximumEventLength: 1000 }));
    expect([...speech.audio]).toEqual([1]);
  });
});
