import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

const { total } = await client.models.list({
  language: ['en'],
  sort_by: 'task_count',
});
console.log(`${total} voices speak English`);

// Iterated, the list asks for the next page when it is needed.
for await (const { _id, title } of client.models.list({ language: ['zh'] }))
  console.log(_id, title);
