import { createSpeechClient } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';

const client = createSpeechClient();

const speech = await client.speech.create({
  text: '<|speaker:0|>Is it far? <|speaker:1|>Ten minutes on foot.',
  reference_id: ['sandbox-alba', 'sandbox-blake'],
});
await saveTo('dialogue.mp3', speech);
