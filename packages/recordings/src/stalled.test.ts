import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';
import { createSpeechClient } from '@speech-api/client';
import { expect, test } from 'vitest';
import { type RecordingSource, transcribeRecording } from './index.ts';
import { noise, wavFile } from './testing/files.ts';

/** A client whose calls fail once something has happened. */
const failing = (happened: Promise<unknown>) =>
  createSpeechClient({
    apiKey: 'any',
    baseUrl: 'http://127.0.0.1:2',
    fetch: async () => {
      await happened;
      return Response.json({ message: 'broken' }, { status: 400 });
    },
  });

/**
 * A source that gives these bytes and then nothing more. It emits `awaited` when more is wanted, and `closed`, but a
 * generator that waits cannot notice that.
 */
type Stall = (bytes: Uint8Array, events: EventEmitter) => RecordingSource;

const sources: Readonly<Record<string, Stall>> = {
  'a web stream': (bytes, events) =>
    new ReadableStream<Uint8Array>(
      {
        start: (controller) => controller.enqueue(bytes),
        pull: () => void events.emit('awaited'),
        cancel: () => void events.emit('closed'),
      },
      { highWaterMark: 0 },
    ),
  'a stream of Node': (bytes, events) => {
    let isGiven = false;
    const read = (): void => {
      if (isGiven) events.emit('awaited');
      else stream.push(bytes);
      isGiven = true;
    };
    const stream = new Readable({ read, highWaterMark: 1 });
    return stream.once('close', () => events.emit('closed'));
  },
  'a generator': async function* (bytes, events) {
    yield bytes;
    events.emit('awaited');
    await new Promise(() => {});
  },
};
const cases = Object.entries(sources);

test.each(cases)('%s that stalls does not hold up an abort', async (name, stall) => {
  const events = new EventEmitter();
  const [awaited, closed] = [once(events, 'awaited'), once(events, 'closed')];
  const source = stall(wavFile(noise(16_000), 16_000).subarray(0, 20_000), events);
  const stop = new AbortController();
  const job = transcribeRecording(failing(closed), source, { signal: stop.signal });
  await awaited;
  stop.abort(new Error('stopped'));
  await expect(job).rejects.toThrow('stopped');
  if (name !== 'a generator') await closed;
});

test.each(cases)('%s that stalls does not hold up a failure', async (name, stall) => {
  const events = new EventEmitter();
  const [awaited, closed] = [once(events, 'awaited'), once(events, 'closed')];
  // Without a pause, parts of 5 s are cut out of this.
  const source = stall(wavFile(noise(16_000 * 25), 16_000).subarray(0, 600_000), events);
  const options = { maximumSeconds: 5, jobs: 8, language: 'en' };
  await expect(transcribeRecording(failing(awaited), source, options)).rejects.toMatchObject({ status: 400 });
  if (name !== 'a generator') await closed;
});
