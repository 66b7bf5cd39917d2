import { readFile } from 'node:fs/promises';
import { createSpeech, createTranscription, listModels, updateModel } from '../orval/client.js';

/** The data of an answer, whose status says which of the documented ones it is. */
function succeeded<Answer extends { status: number }>(answer: Answer): Extract<Answer, { status: 200 }> {
  if (answer.status !== 200) throw new Error(`The service answers ${answer.status}.`);
  return answer as Extract<Answer, { status: 200 }>;
}

const headers = { model: 's2-pro' };
const spoken = succeeded(await createSpeech({ text: 'Good morning.', format: 'mp3' }, { headers }));
const bytes = Buffer.from(await spoken.data.arrayBuffer());

const audio = new Blob([new Uint8Array(await readFile('sample.wav'))]);
const transcription = succeeded(await createTranscription({ audio, ignore_timestamps: true }));

const list = succeeded(await listModels({ title: 'Alba', page_size: 1 }));

const unknown = await updateModel('no-such-voice', { title: 'Harbour' });

console.log(
  JSON.stringify({
    sentence: { starts: bytes.subarray(0, 4).toString('hex'), bytes: bytes.length },
    transcription: transcription.data.text,
    titles: list.data.items.map(({ title }) => title),
    unknown: unknown.status,
  }),
);
