import { createSpeechClient } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';

const client = createSpeechClient();
const recordings = [
  ['recording.mp3', 'The last boat leaves at ten.', 'sandbox-cleo'],
  ['ann.wav', 'What Ann says in her sample.', 'sandbox-alba'],
  ['ben.wav', 'What Ben says in his sample.', 'sandbox-blake'],
  ['sample.wav', 'What is said in the sample.', 'sandbox-alba'],
] as const;

for (const [name, text, reference_id] of recordings) {
  const format = name.endsWith('.wav') ? 'wav' : 'mp3';
  await saveTo(
    name,
    await client.speech.create({ text, format, reference_id }),
  );
}
