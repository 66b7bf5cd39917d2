import { createSpeechClient } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';

const client = createSpeechClient();

for (const model of ['s2-pro', 's2.1-pro'] as const) {
  const speech = await client.speech.create(
    { text: 'The last boat leaves at ten.' },
    { model },
  );
  await saveTo(`boat-${model}.mp3`, speech);
  console.log(`boat-${model}.mp3`);
}
