// # How long and how much, before anything is sent
// Counts characters and bytes and estimates seconds; money comes from a price table of your own, since the service publishes none.
import { compareCredit, createSpeechClient } from '@speech-api/client';

/** Your contract's prices. These numbers are made up. */
const pricePerMillionBytes: Readonly<Record<string, number>> = { 's2-pro': 15 };
/** Measure this with a text and a voice of your own: languages and voices differ. */
const charactersPerSecond = 14;

function estimate(text: string, model: string) {
  // What a reader sees as one character, such as an emoji or an accented letter.
  const characters = [...new Intl.Segmenter().segment(text)].length;
  const bytes = new TextEncoder().encode(text).length;
  const price = pricePerMillionBytes[model];
  if (price === undefined) throw new Error(`There is no price for the model ${model}.`);
  return { characters, bytes, seconds: characters / charactersPerSecond, money: (bytes * price) / 1e6 };
}

const text = 'Zwei Stück Käsekuchen, bitte. 🍰';
const { characters, bytes, seconds, money } = estimate(text, 's2-pro');
console.log(`${characters} characters, ${bytes} bytes, about ${seconds.toFixed(1)} s, ${money.toFixed(6)}`);

const client = createSpeechClient();
const { credit } = await client.wallet.getApiCredit();
// Credit is a decimal string: comparing it as a number would round it.
if (compareCredit(credit, money.toFixed(6)) < 0) throw new Error(`The credit of ${credit} is not enough.`);
const audio = await client.speech.create({ text, format: 'mp3' }, { model: 's2-pro' });
console.log(`${(await audio.bytes()).length} bytes of audio`);
