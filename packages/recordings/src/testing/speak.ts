import { createSpeechClient } from '@speech-api/client';
import { type LongSpeech, type SpeakLongOptions, speakLong } from '../index.ts';
import { mp3File, noise, opusFile, wavFile } from './files.ts';

/** A small picture: one red pixel. */
export const onePixel = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'),
  (letter) => letter.charCodeAt(0),
);

/** Three chapters, of which the first is spoken in two calls of 100 characters. */
export const book = `# One
${'The ferry leaves at noon, and nobody waves from the pier. '.repeat(3)}

# 二：雨
下雨了。

# Three & last
The gulls leave with it.`;

/** Options with metadata, for the files of these tests. */
export const bookOptions: SpeakLongOptions = {
  chapters: true,
  maximumCharacters: 150,
  cover: onePixel,
  tags: {
    title: 'The Sea, 海',
    author: 'Ann Author',
    album: 'Ferries',
    narrator: 'Ned',
    year: '2026',
    genre: 'Audiobook',
    language: 'eng',
  },
};

const formats = { mp3: mp3File, opus: opusFile, wav: async (sound: Float32Array) => wavFile(sound, 44_100) };
const mediaTypes = { mp3: 'audio/mpeg', opus: 'audio/ogg', wav: 'audio/wav' };

/** Speaks by a service that answers with noise: as many seconds as it is told for each call. */
export async function speakNoise(
  format: keyof typeof formats,
  seconds: readonly number[],
  options: SpeakLongOptions,
  request: { readonly text?: string; readonly prosody?: { readonly speed: number } } = {},
): Promise<{ file: Uint8Array<ArrayBuffer>; speech: LongSpeech; texts: string[] }> {
  const texts: string[] = [];
  const rate = format === 'opus' ? 48_000 : 44_100;
  const client = createSpeechClient({
    apiKey: 'any',
    baseUrl: 'http://127.0.0.1:1',
    fetch: async (input, init) => {
      const { text } = (await new Request(input, init).json()) as { text: string };
      const sound = noise(Math.round((seconds[texts.length] ?? 0) * rate), texts.length + 1);
      texts.push(text);
      return new Response(await formats[format](sound), {
        headers: { 'content-type': mediaTypes[format] },
      });
    },
  });
  const speech = speakLong(client, { text: book, format, ...request }, { jobs: 1, ...options });
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of speech) pieces.push(piece.slice());
  const file = new Uint8Array(await new Blob(pieces).arrayBuffer());
  if (speech.head) file.set(speech.head);
  return { file, speech, texts };
}
