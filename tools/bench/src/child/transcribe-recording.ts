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
import { recording } from '../recording.ts';

const [, , work = 'file', length = '10800', baseUrl = ''] = process.argv;
const seconds = Number(length);
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
