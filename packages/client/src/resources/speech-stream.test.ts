import { expect, test } from 'vitest';
import { clientOf, eventOf, tone } from '../testing/samples.ts';
import { startServer } from '../testing/start-server.ts';

const request = { text: 'Hello there.', format: 'pcm' } as const;

function alignment(...words: string[]) {
  const segments = words.map((text, index) => ({ text, start: index, end: index + 1 }));
  return { audio_duration: words.length, segments };
}

test('the timeline has taken in each event before it is handed over, and collect joins the audio', async () => {
  const server = await startServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(eventOf({ alignment: alignment('Hello') }));
    response.write(eventOf({ alignment: alignment('Hello', 'there') }));
    response.end(eventOf({ chunk_seq: 1, chunk_audio_offset_sec: 2, alignment: alignment('Bye') }));
  });
  const { speech } = clientOf(server.url);
  const stream = await speech.streamWithTimestamps(request);
  const words: number[] = [];
  for await (const { type } of stream) {
    if (type === 'alignment-update') words.push(stream.timeline.segments.length);
  }
  expect(words).toEqual([1, 2, 3]);
  expect(stream.timeline.segments.at(-1)).toMatchObject({ text: 'Bye', start: 2, end: 3 });
  const other = await speech.streamWithTimestamps(request);
  const { audio, timeline } = await other.collect();
  expect(audio).toEqual(new Uint8Array([...tone(), ...tone(), ...tone()]));
  expect(timeline).toBe(other.timeline);
  expect(timeline.segments).toEqual(stream.timeline.segments);
  await expect(other.collect()).rejects.toThrow(TypeError);
  expect(server.seen[0]).toMatchObject({
    url: '/v1/tts/stream/with-timestamp',
    headers: { accept: 'text/event-stream', model: 's2-pro' },
  });
});
