import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

const stream = await client.speech.streamWithTimestamps({
  text: '[whispering] Somebody is at the door. [long pause] [excited] It is grandma!',
  reference_id: 'sandbox-cleo',
  format: 'opus',
});
const { timeline } = await stream.collect();
console.log(timeline.segments.map(({ text }) => text).join(' '));
