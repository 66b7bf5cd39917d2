import { writeFile } from 'node:fs/promises';
import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

const stream = await client.speech.streamWithTimestamps({
  text: 'The last boat leaves at ten. After that you walk along the river until you see the lights of the town.',
  reference_id: 'sandbox-blake',
  format: 'mp3',
});
const { audio, timeline } = await stream.collect();

await writeFile('boat.mp3', audio);
await writeFile('boat.srt', timeline.toSrt());
console.log(timeline.toVtt({ lineLength: 36 }));
