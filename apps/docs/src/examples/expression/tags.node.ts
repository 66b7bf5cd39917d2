import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

const stream = await client.speech.streamWithTimestamps(
  {
    text: '(sad) The last boat has left. (and nobody told us)',
    reference_id: 'sandbox-alba',
    format: 'opus',
  },
  { model: 's1' },
);
const { timeline } = await stream.collect();
console.log(timeline.segments.map(({ text }) => text).join(' '));
