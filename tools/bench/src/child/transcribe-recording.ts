// Transcribes a wav recording of that many seconds, from a file or as it is made, and prints the memory and time it took.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createSpeechClient } from '@speech-api/client';
import { cutRecording, transcribeRecording } from '@speech-api/recordings';
import { cutInWorker, openRecording } from '@speech-api/recordings/node';
import { peakMemory } from '../measure.ts';

const [, , work = 'file', length = '10800', baseUrl = ''] = process.argv;
const seconds = Number(length);
const sampleRate = 16_000;
const block = new Uint8Array(2 * sampleRate);
const samples = new DataView(block.buffer);
// Four fifths of noise and one of silence: a pause a second.
let state = 1;
for (let index = 0; index < 0.8 * sampleRate; index++) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  samples.setInt16(2 * index, (state >>> 17) - 16_384, true);
}

async function* recording(duration: number): AsyncGenerator<Uint8Array> {
  const head = new Uint8Array(44);
  const view = new DataView(head.buffer);
  head.set(new TextEncoder().encode('RIFF'));
  view.setUint32(4, 0xffff_ffff, true);
  head.set(new TextEncoder().encode('WAVEfmt '), 8);
  view.setUint32(16, 16, true);
  view.setUint32(20, 0x1_0001, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, 2 * sampleRate, true);
  view.setUint32(32, 0x10_0002, true);
  head.set(new TextEncoder().encode('data'), 36);
  view.setUint32(40, 0xffff_ffff, true);
  yield head;
  for (let second = 0; second < duration; second++) yield block;
}

const client = createSpeechClient({ baseUrl: baseUrl || 'http://127.0.0.1:9', apiKey: 'bench-key' });
const folder = await mkdtemp(join(tmpdir(), 'speech-bench-'));
const fileOf = (duration: number): string => join(folder, `${duration}.wav`);
const run = async (duration: number): Promise<void> => {
  const cut = work === 'file without a worker' ? undefined : cutInWorker();
  if (work === 'cut') for await (const _ of cutRecording(recording(duration)));
  else if (work === 'stream') await transcribeRecording(client, recording(duration), { cut });
  else await transcribeRecording(client, await openRecording(fileOf(duration)), { cut });
};
try {
  if (work.startsWith('file')) {
    for (const duration of [60, seconds])
      await pipeline(recording(duration), createWriteStream(fileOf(duration)));
  }
  await run(60);
  let milliseconds = 0;
  const megabytes = await peakMemory(async () => {
    const begin = performance.now();
    await run(seconds);
    milliseconds = performance.now() - begin;
  });
  console.log(JSON.stringify({ megabytes, milliseconds }));
} finally {
  await rm(folder, { recursive: true, force: true });
}
