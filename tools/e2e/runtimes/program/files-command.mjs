// Files as input and output, by path, in runtimes with those of Node.
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createSpeechClient } from '@speech-api/client';
import { openAudioFile, readAudio, saveTo } from '@speech-api/client/node';

const client = createSpeechClient({ apiKey: 'sandbox-key', baseUrl: process.argv[2] });
const path = fileURLToPath(new URL('clip.wav', import.meta.url));
const size = await saveTo(path, await client.speech.create({ text: 'To a file.', format: 'wav' }));
const saved = await readFile(path);
if (saved.length !== size || saved.readUInt32LE(4) !== size - 8)
  throw new Error('the file has not its true size');
const references = [
  { audio: await openAudioFile(path), text: 'To a file.' },
  { audio: await readAudio((await openAudioFile(path)).stream(), { name: 'clip.wav' }), text: 'To a file.' },
];
const audio = await client.speech.create({ text: 'From a file.', references });
if ((await audio.bytes()).length < 1000) throw new Error('no audio');
await rm(path);

console.log('works: files');
