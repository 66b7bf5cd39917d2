import { writeFile } from 'node:fs/promises';
import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

const stream = await client.speech.streamWithTimestamps({
  text: 'Every word knows its time.',
  format: 'opus',
});
const { audio, timeline } = await stream.collect();
await writeFile('speech.opus', audio);
await writeFile('speech.vtt', timeline.toVtt());
for (const { text, start, end } of timeline.segments) {
  console.log(text, start, end);
}
