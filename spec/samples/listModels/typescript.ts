import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

// Awaited it is the first page; iterated it is every model of every page.
const { total } = await client.models.list({ language: ['en', 'zh'], sort_by: 'task_count' });
console.log(`${total} voices`);
for await (const model of client.models.list({ language: ['en', 'zh'], sort_by: 'task_count' })) {
  console.log(model._id, model.title);
}
