import { createSpeechClient, createTrace } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';

const client = createSpeechClient();
const trace = createTrace(); // or createTrace(request.headers.get('traceparent')), to continue one

const question = await client.speech.create(
  { text: 'Is it far?' },
  { trace },
);
await saveTo('question.mp3', question);
const answer = await client.speech.create(
  { text: 'Ten minutes.' },
  { trace },
);
await saveTo('answer.mp3', answer);
// If something sounds wrong, quote trace.traceId to support.
