import { createSpeechClient } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';

const client = createSpeechClient();

for (const model of ['s1', 's2-pro'] as const) {
  const speech = await client.speech.create(
    { text: 'The last boat leaves at ten.' },
    { model },
  );
  await saveTo(`boat-${model}.mp3`, speech);
  console.log(`boat-${model}.mp3`);
}
