import { afterAll, expect, test } from 'vitest';
import { engineSampleRate } from '../engine/protocol.ts';
import { createOutput, type OutputSettings } from './output.ts';
import { OutputThreads } from './output-threads.ts';

const threads = new OutputThreads(2);
const settings: OutputSettings = {
  format: 'mp3',
  sampleRate: 44100,
  mp3Bitrate: 128,
  opusBitrate: -1000,
  volume: -3,
  normalizeLoudness: true,
};
const tone = Int16Array.from({ length: engineSampleRate }, (_, index) =>
  Math.round(9000 * Math.sin(index / 9)),
);

afterAll(() => threads.close());

async function made(create: (settings: OutputSettings) => ReturnType<typeof createOutput>): Promise<Buffer> {
  const output = await create(settings);
  const parts = [await output.write(tone, 0), await output.write(tone, 0), await output.end()];
  output.free();
  return Buffer.concat(parts);
}

test('make the bytes that this thread would make, for many streams at once', async () => {
  const wanted = await made(createOutput);
  const all = await Promise.all(Array.from({ length: 6 }, () => made((each) => threads.create(each))));
  for (const bytes of all) expect(bytes.equals(wanted)).toBe(true);
});

test('make more streams at a time than there are threads, while nobody takes what is made', async () => {
  const held = await Promise.all(Array.from({ length: 5 }, () => threads.create(settings)));
  for (const output of held) expect((await output.write(tone, 0)).length).toBeGreaterThan(1000);
  for (const output of held) output.free();
});

test('tell how long the encoder stays silent at the start', async () => {
  const output = await threads.create(settings);
  expect(output.leadingSeconds).toBeCloseTo(1105 / 44100, 6);
  output.free();
});

test('fail the one stream that cannot be made, and go on with the others', async () => {
  await expect(threads.create({ ...settings, sampleRate: 8000 })).rejects.toThrow('8000 Hz');
  expect((await made((each) => threads.create(each))).length).toBeGreaterThan(1000);
});

test('refuse a stream that has been freed', async () => {
  const output = await threads.create(settings);
  output.free();
  await expect(output.write(tone, 0)).rejects.toThrow('not open');
});

test('end with those who wait for them being told', async () => {
  const closing = new OutputThreads(1);
  // A fresh thread is warming up, so this one does wait.
  const waiting = expect(closing.create(settings)).rejects.toThrow(/ended|terminat|destroyed/i);
  await closing.close();
  await waiting;
});

test('end a thread that gives no answer by its deadline, and replace it', async () => {
  // A fresh thread warms up for longer than this.
  const hasty = new OutputThreads(1, 1);
  await expect(hasty.create(settings)).rejects.toThrow('no answer for 1 ms');
  await expect(hasty.create(settings)).rejects.toThrow('no answer for 1 ms');
  await hasty.close();
});
