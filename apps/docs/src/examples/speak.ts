import { writeFile } from 'node:fs/promises';
import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient({
  baseUrl: 'http://127.0.0.1:4010',
  apiKey: 'sandbox-key',
});

const stream = await client.speech.streamWithTimestamps({
  text: 'Every word knows its time.',
  reference_id: 'sandbox-alba',
  format: 'opus',
});
const { audio, timeline } = await stream.collect();

await writeFile('speech.opus', audio);
for (const { text, start, end } of timeline.segments) {
  console.log(text, start, end);
}
