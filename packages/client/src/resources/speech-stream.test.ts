import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { clientOf, eventOf, tone } from '../testing/samples.ts';
import { startServer } from '../testing/start-server.ts';

const eventStream = { 'content-type': 'text/event-stream; charset=utf-8' };
const request = { text: 'Hello there.', format: 'pcm' } as const;

function alignment(...words: string[]) {
  const segments = words.map((text, index) => ({ text, start: index, end: index + 1 }));
  return { audio_duration: words.length, segments };
}

async function streamOf(script: (response: ServerResponse) => void, options = {}) {
  const server = await startServer((_request, response) => script(response.writeHead(200, eventStream)));
  const stream = await clientOf(server.url, options).speech.streamWithTimestamps(request);
  return { server, stream };
}

test('events come in order, and the timeline has taken in each before it is handed over', async () => {
  const { server, stream } = await streamOf((response) => {
    response.write(eventOf());
    response.write(eventOf({ alignment: alignment('Hello') }));
    response.write(eventOf({ alignment: alignment('Hello', 'there') }));
    response.end(eventOf({ chunk_seq: 1, chunk_audio_offset_sec: 2, alignment: alignment('Bye') }));
  });
  const seen: [string, number][] = [];
  for await (const { type } of stream) seen.push([type, stream.timeline.segments.length]);
  expect(seen).toEqual([
    ['chunk-start', 0],
    ['audio-chunk', 0],
    ['audio-chunk', 0],
    ['alignment-update', 1],
    ['audio-chunk', 1],
    ['alignment-update', 2],
    ['chunk-start', 2],
    ['audio-chunk', 2],
    ['alignment-update', 3],
    ['end', 3],
  ]);
  expect(stream.timeline.segments.at(-1)).toMatchObject({ text: 'Bye', start: 2, end: 3 });
  expect(server.seen[0]).toMatchObject({
    url: '/v1/tts/stream/with-timestamp',
    headers: { accept: 'text/event-stream', model: 's2-pro' },
  });
});

test('collect joins the audio and keeps the timeline', async () => {
  const { stream } = await streamOf((response) => {
    response.write(eventOf());
    response.end(eventOf({ alignment: alignment('Hello', 'there') }));
  });
  const { audio, timeline } = await stream.collect();
  expect(audio).toEqual(new Uint8Array([...tone(), ...tone()]));
  expect(timeline).toBe(stream.timeline);
  expect(timeline.segments.map(({ text }) => text)).toEqual(['Hello', 'there']);
  await expect(stream.collect()).rejects.toThrow(TypeError);
});
