// A small application.
import { createSpeechClient } from '@speech-api/client';

export async function speak(baseUrl: string, apiKey: string): Promise<number> {
  const client = createSpeechClient({ baseUrl, apiKey });
  const audio = await client.speech.create({ text: 'Hello.', format: 'wav' });
  const models = await client.models.list({ self: true });
  return (await audio.bytes()).length + models.items.length;
}
