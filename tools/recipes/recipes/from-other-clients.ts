// # Coming from another client of this interface
// What you did by hand, with fetch or with a client that sends MessagePack, and what does it here.
import { readFile } from 'node:fs/promises';
import { createSpeechClient } from '@speech-api/client';

// fetch(`${baseUrl}/v1/tts`, { method: 'POST', headers: { authorization: `Bearer ${key}`, model: 's2-pro', ... }, body })
// The header `model` is the second argument; key and address come from the environment.
const client = createSpeechClient();

// body: msgpack.encode({ text, references: [{ audio: bytes, text: transcript }] })
// Bytes anywhere in the request choose MessagePack by themselves; field names stay as they are on the wire.
const references = [{ audio: await readFile('sample.wav'), text: 'What is said in the sample.' }];
const audio = await client.speech.create({ text: 'In the same voice.', references }, { model: 's2-pro' });
console.log((await audio.bytes()).length);

// const form = new FormData(); form.append('audio', blob); fetch(`${baseUrl}/v1/asr`, { method: 'POST', body: form })
const { text } = await client.transcriptions.create({ audio: new Blob([await readFile('sample.wav')]) });
console.log(text);

// `data:` lines, base64 and JSON by hand: one event may repeat or extend what an earlier event said of the same chunk_seq.
const stream = await client.speech.streamWithTimestamps({ text: 'Every word has its time.', format: 'opus' });
for await (const event of stream) {
  if (event.type === 'alignment-update') console.log(stream.timeline.segments.length);
}

// An operation that has no method of its own: the typed openapi-fetch client.
const { data } = await client.http.GET('/model', { params: { query: { page_size: 1 } } });
console.log(data?.items.length);
