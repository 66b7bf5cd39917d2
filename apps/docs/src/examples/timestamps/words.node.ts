import { writeFile } from 'node:fs/promises';
import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

const stream = await client.speech.streamWithTimestamps({
  text: 'Every word knows its time.',
  reference_id: 'sandbox-alba',
  format: 'opus',
});
const { audio, timeline } = await stream.collect();

for (const { text, start, end } of timeline.segments) {
  console.log(text.padEnd(6), start.toFixed(2), end.toFixed(2));
}
console.log(`After half a second: ${timeline.wordAt(0.5)?.text}`);
await writeFile('speech.opus', audio);
