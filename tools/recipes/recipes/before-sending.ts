// # What a text will use
// Counts characters and bytes and estimates seconds before anything is sent, then shows what the call really used.
import { createAudioMeter } from '@speech-api/audio';
import { createSpeechClient } from '@speech-api/client';

/** Measure this with texts and a voice of your own: languages and voices differ. */
const charactersPerSecond = 14;

function estimate(text: string) {
  const characters = [...text].length; // code points: text.length counts an emoji twice
  const bytes = new TextEncoder().encode(text).length;
  return { characters, bytes, seconds: characters / charactersPerSecond };
}

const text = 'Zwei Stück Käsekuchen, bitte. 🍰';
const { characters, bytes, seconds } = estimate(text);
console.log(`${characters} characters, ${bytes} bytes, about ${seconds.toFixed(1)} s`);

const client = createSpeechClient();
const before = await client.wallet.getApiCredit();
const audio = await client.speech.create({ text, format: 'mp3' });
const meter = createAudioMeter('mp3');
for await (const piece of audio) meter.push(piece);
meter.end();
const after = await client.wallet.getApiCredit();
console.log(`${meter.seconds.toFixed(1)} s of audio; credit ${before.credit} before, ${after.credit} after`);
