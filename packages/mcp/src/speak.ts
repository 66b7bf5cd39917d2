import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError, createSpeechClient, RequestError } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';
import { type AudioFormat, audioFormats } from '@speech-api/types';
import { z } from 'zod';

// A plain name: with a slash, a drive or dots at its beginning it could lead out of the folder. Even with four bytes per
// letter there is room in the 255 bytes of a file name for the suffix that it has until the audio is complete.
const fileName = new RegExp(`^[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]{0,49}\\.(${audioFormats.join('|')})$`, 'u');

export const speakRequest = z.strictObject({
  text: z.string().min(1),
  file: z.string().regex(fileName).describe('a name without folders; its extension is the format: tea.mp3'),
  reference_id: z.string().optional().describe('id of a saved voice'),
  model: z.string().optional(),
});
type SpeakRequest = z.infer<typeof speakRequest>;

/** Twelve seconds of wav: nobody speaks that slowly. */
const bytesPerCharacter = 1024 * 1024;
const maximumMilliseconds = 10 * 60 * 1000;

/** Speaks into new files of one folder, and counts the characters that it sends. Without a folder it sends none. */
export class Speaker {
  readonly #folder: string | undefined;
  #left: number;

  constructor(folder: string | undefined, budget: number) {
    this.#folder = folder;
    this.#left = budget;
  }

  async speak({ file, ...request }: SpeakRequest, signal: AbortSignal): Promise<string> {
    if (this.#folder === undefined)
      throw new Error('Speaking is billed. Ask your user to start this server with --allow-billing.');
    // As limits do, the budget counts Unicode code points.
    const characters = [...request.text].length;
    if (characters > this.#left)
      throw new Error(
        `The text has ${characters} characters, and the budget has ${this.#left} left. ` +
          'Shorten it, or ask your user to start the server with a larger --budget.',
      );
    const path = join(this.#folder, file);
    makeFile(path);
    this.#left -= characters;
    try {
      const bytes = await speakInto(path, request, characters * bytesPerCharacter, signal);
      return `Wrote ${path}, ${bytes} bytes. Characters left in the budget: ${this.#left}.`;
    } catch (error) {
      await rm(path, { force: true });
      // After any other failure, the service may have billed them.
      if (RequestError.isInstance(error) || ConfigurationError.isInstance(error)) this.#left += characters;
      throw error;
    }
  }
}

/** Makes an empty file where none was. `wx` follows no link. */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(code === 'EEXIST' ? `${path} exists. Choose another name.` : message);
  }
}

async function speakInto(
  path: string,
  { text, reference_id, model }: Omit<SpeakRequest, 'file'>,
  maximumBytes: number,
  signal: AbortSignal,
): Promise<number> {
  const format = path.slice(path.lastIndexOf('.') + 1) as AudioFormat;
  await using audio = await createSpeechClient().speech.create(
    { text, format, ...(reference_id && { reference_id }) },
    { signal, timeouts: { total: maximumMilliseconds }, ...(model && { model }) },
  );
  return await saveTo(path, atMost(maximumBytes, audio));
}

async function* atMost(maximumBytes: number, audio: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const piece of audio) {
    length += piece.length;
    if (length > maximumBytes)
      throw new Error(`The audio has more than ${maximumBytes} bytes, too many for this text.`);
    yield piece;
  }
}
