import { readFile } from 'node:fs/promises';
import { createClient } from '../hey-api/client/index.js';
import {
  createModel,
  createSpeech,
  createTranscription,
  streamSpeechWithTimestamps,
} from '../hey-api/index.js';

const client = createClient({
  baseUrl: process.env.SPEECH_BASE_URL ?? '',
  auth: () => process.env.SPEECH_API_KEY ?? '',
});
const call = { client, headers: { model: 's2-pro' }, throwOnError: true } as const;

async function look(data: Blob | File): Promise<{ starts: string; bytes: number }> {
  const bytes = Buffer.from(await data.arrayBuffer());
  return { starts: bytes.subarray(0, 4).toString('hex'), bytes: bytes.length };
}

const sentence = await createSpeech({ ...call, body: { text: 'Good morning.', format: 'mp3' } });

const sample = await readFile('sample.wav');
const audio = sample.toString('base64');
const references = [{ audio, text: 'What is said in the sample.' }];
const cloned = await createSpeech({ ...call, body: { text: 'In that voice.', format: 'wav', references } });

const recording = new File([new Uint8Array(sample)], 'sample.wav');
const transcription = await createTranscription({ ...call, body: { audio: recording } });

// In JSON, which this generator chooses, a recording of a voice model is base64.
const model = await createModel({
  ...call,
  body: { type: 'tts', title: 'Harbour', train_mode: 'fast', visibility: 'private', voices: [audio] },
});

const { stream } = await streamSpeechWithTimestamps({
  ...call,
  body: { text: 'Every word knows its time.', format: 'opus' },
  // This generator's client repeats a broken stream by itself, and every repetition is billed.
  sseMaxRetryAttempts: 1,
});
const chunks: Buffer[] = [];
let words: string[] = [];
for await (const event of stream) {
  chunks.push(Buffer.from(event.audio_base64, 'base64'));
  if (event.alignment !== null) words = event.alignment.segments.map(({ text }) => text);
}
console.log(
  JSON.stringify({
    sentence: await look(sentence.data),
    cloned: await look(cloned.data),
    transcription: transcription.data.text,
    model: model.data.title,
    stream: { starts: Buffer.concat(chunks).subarray(0, 4).toString('hex'), words: words.join(' ') },
  }),
);
