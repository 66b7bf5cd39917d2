import { describe, expect, test } from 'vitest';
import { readSpeechEvents } from './index.ts';
import {
  all,
  bodyOf,
  bytesOf,
  counted,
  cut,
  recordedStream,
  streamOf,
  wireEvent,
} from './testing/streams.ts';

describe('the body', () => {
  test('is not read ahead of the consumer', async () => {
    const { body, counts } = counted([streamOf(wireEvent()), streamOf(wireEvent()), streamOf(wireEvent())]);
    const events = readSpeechEvents(body);
    expect(counts.read).toBe(0);
    await events.next();
    await events.next();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(counts.read).toBe(1);
    await events.next();
    expect(counts.read).toBe(2);
  });

  test('is cancelled when the loop is left', async () => {
    const { body, counts } = counted([streamOf(wireEvent()), streamOf(wireEvent())]);
    for await (const event of readSpeechEvents(body)) if (event.type === 'audio-chunk') break;
    expect(counts).toEqual({ read: 1, cancelled: 1 });
  });

  test('is given up at once by return(), also when it never answers', async () => {
    let isReleased = false;
    const silent: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: () => {
          isReleased = true;
          return new Promise(() => {});
        },
      }),
    };
    const events = readSpeechEvents(silent);
    const [first, second] = [events.next(), events.next()];
    await events.return?.();
    expect([await first, await second]).toEqual([
      { value: undefined, done: true },
      { value: undefined, done: true },
    ]);
    expect(isReleased).toBe(true);
  });

  test('answers calls of next() in their order, however many wait', async () => {
    const events = readSpeechEvents(bodyOf(cut(recordedStream(), 10, 200, 500)));
    const waiting = await Promise.all(Array.from({ length: 13 }, () => events.next()));
    const inOrder = await all(readSpeechEvents(bodyOf([recordedStream()])));
    expect(waiting.map(({ value }) => value)).toEqual(inOrder);
  });

  test('is finished by the end marker, although it goes on', async () => {
    const { body, counts } = counted([
      streamOf(wireEvent({ audio_base64: 'AQ==' })),
      bytesOf('data: [DONE]\n\ndata: {oops\n\n'),
      bytesOf('data: {oops\n\n'),
    ]);
    expect((await all(readSpeechEvents(body))).map(({ type }) => type)).toEqual([
      'chunk-start',
      'audio-chunk',
      'end',
    ]);
    expect(counts).toEqual({ read: 2, cancelled: 1 });
  });

  test('has one reader', async () => {
    async function* generated() {
      yield streamOf(wireEvent());
    }
    for (const body of [bodyOf([streamOf(wireEvent())]), generated()]) {
      expect(await all(readSpeechEvents(body))).not.toEqual([]);
      expect(() => readSpeechEvents(body)).toThrow(expect.objectContaining({ kind: 'already-read' }));
    }
    const locked = bodyOf([]);
    locked.getReader();
    expect(() => readSpeechEvents(locked)).toThrow(expect.objectContaining({ kind: 'already-read' }));
  });
});
