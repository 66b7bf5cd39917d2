import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

const page = await client.models.list({
  page_number: 1,
  page_size: 5,
  sort_by: 'task_count',
  language: ['en', 'zh'],
});
console.log(`${page.total} voices`);
// "for await (const model of page)" reads the further pages, too.
for (const model of page.items) {
  console.log(model._id, model.title);
}
