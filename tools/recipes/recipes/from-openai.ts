// # Coming from the openai package
// The calls that you know, each above its counterpart here.
import { writeFile } from 'node:fs/promises';
import { createSpeechClient } from '@speech-api/client';
import { openAudioFile } from '@speech-api/client/node';

// const openai = new OpenAI({ apiKey, baseURL, maxRetries: 2, timeout: 60_000 });
// There, a failed POST is sent again by default. Here it is not, because speech is billed.
const client = createSpeechClient({ retry: { retries: 2 }, timeouts: { headers: 60_000 } });

// const response = await openai.audio.speech.create({ model, voice: 'alloy', input, response_format: 'wav', speed: 1.1 });
// A voice is the id of a voice model; without one the model's own voice speaks.
const audio = await client.speech.create(
  { text: 'Fresh bread and two cups of tea.', format: 'wav', prosody: { speed: 1.1 } },
  { model: 's2-pro' },
);
// await writeFile('tea.wav', Buffer.from(await response.arrayBuffer()));
await writeFile('tea.wav', await audio.bytes());

// const { text, segments } = await openai.audio.transcriptions.create({ file, model, response_format: 'verbose_json' });
const transcript = await client.transcriptions.create({
  audio: await openAudioFile('tea.wav'),
  language: 'en',
  ignore_timestamps: false,
});
console.log(transcript.text, transcript.segments.length);

// error instanceof OpenAI.RateLimitError, error.requestID
// Here: TooManyRequestsError.isInstance(error), error.traceId; `error.code` is the same in every version.
