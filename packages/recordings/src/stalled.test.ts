import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';
import { createSpeechClient } from '@speech-api/client';
import { expect, test } from 'vitest';
import { type RecordingSource, transcribeRecording } from './index.ts';
import { noise, wavFile } from './testing/files.ts';

/** A client whose calls fail once this promise resolves. */
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
 * A source that gives these bytes and then stalls. It emits `awaited` when more is requested, and `closed`, except for a
 * generator, which cannot notice that while it waits.
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

test.each(Object.entries(sources))(
  '%s that stalls holds up neither an abort nor a failure',
  async (name, stall) => {
    const options = { maximumSeconds: 5, jobs: 8, language: 'en' };
    for (const [reason, outcome] of [
      ['abort', { message: 'stopped' }],
      ['failure', { status: 400 }],
    ] as const) {
      const events = new EventEmitter();
      const [awaited, closed] = [once(events, 'awaited'), once(events, 'closed')];
      // Without a pause, this is cut into parts of 5 s.
      const bytes = wavFile(noise(16_000 * 25), 16_000).subarray(0, reason === 'abort' ? 20_000 : 600_000);
      const stop = new AbortController();
      // Somebody else has listened to it before.
      stop.signal.addEventListener('abort', () => {});
      const client = failing(reason === 'abort' ? closed : awaited);
      const job = transcribeRecording(client, stall(bytes, events), { ...options, signal: stop.signal });
      if (reason === 'abort') awaited.then(() => stop.abort(new Error('stopped')));
      await expect(job).rejects.toMatchObject(outcome);
      if (name !== 'a generator') await closed;
    }
  },
);
