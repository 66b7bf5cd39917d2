import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

// What is left out stays as it is.
await client.models.update('my-model-id', {
  title: 'My voice, second try',
  tags: ['calm', 'narration'],
});
