import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

// What is left out stays as it is.
await client.models.update('sandbox-draft', {
  title: 'My voice, second try',
  tags: ['calm', 'narration'],
});
