import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

// Awaiting a list gives its first page.
const english = await client.models.list({ language: ['en'] });
console.log(`${english.total} voices`);

// Iterating over it gives every model of every page.
const popular = client.models.list({ sort_by: 'task_count' });
for await (const model of popular) {
  console.log(model._id, model.title);
}
