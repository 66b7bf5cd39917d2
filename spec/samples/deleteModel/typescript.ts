import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

await client.models.delete('sandbox-draft');
