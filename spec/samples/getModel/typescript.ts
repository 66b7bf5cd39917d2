import { createSpeechClient, NotFoundError } from '@speech-api/client';

const client = createSpeechClient();

try {
  const model = await client.models.get('sandbox-alba');
  console.log(model.title, model.state, model.languages);
} catch (error) {
  if (!NotFoundError.isInstance(error)) throw error;
  console.log('there is no such voice');
}
