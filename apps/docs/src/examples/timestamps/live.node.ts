import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

const stream = await client.speech.streamWithTimestamps({
  text: 'The first sentence. Then the second one.',
  reference_id: 'sandbox-alba',
  format: 'mp3',
  latency: 'balanced',
  min_chunk_length: 0,
});
let words = 0;
for await (const event of stream) {
  if (event.type === 'chunk-start') console.log('a new chunk of text');
  const { segments } = stream.timeline;
  for (const { text } of segments.slice(words)) console.log(`  ${text}`);
  words = segments.length;
}
