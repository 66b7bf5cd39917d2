import { createSpeechClient, createTrace } from '@speech-api/client';

const client = createSpeechClient();
const trace = createTrace(); // or createTrace(request.headers.get('traceparent')), to continue one

const question = await client.speech.create({ text: 'Is it far?' }, { trace });
const answer = await client.speech.create({ text: 'Ten minutes.' }, { trace });
await Promise.all([question.bytes(), answer.bytes()]);

console.log(question.traceId === trace.traceId, answer.traceId === trace.traceId);
