import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ConfigurationError, createSpeechClient, RequestError } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';
import { type AudioFormat, audioFormats } from '@speech-api/types';
import { z } from 'zod';

// A plain name: with a slash, a drive or dots at its beginning it could lead out of the folder. Even with four bytes per
// letter there is room in the 255 bytes of a file name for the suffix that it has until the audio is complete.
const fileName = new RegExp(`^[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]{0,49}\\.(${audioFormats.join('|')})$`, 'u');
const isFileName = (name: string): boolean => fileName.test(name);
const fileHelp = `a name without folders, at most 50 letters and an extension (${audioFormats.join(', ')}), such as tea.mp3`;
const refuseName = ({ input }: { input?: unknown }) => `${JSON.stringify(input)} is not ${fileHelp}`;

export const speakRequest = z.strictObject({
  text: z.string().min(1),
  // Not as a pattern: the schema is also read by programs that know no \p{L}.
  file: z.string().describe(fileHelp).refine(isFileName, { error: refuseName }),
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

  async speak({ file, text, reference_id, model }: SpeakRequest, signal: AbortSignal): Promise<string> {
    if (this.#folder === undefined)
      throw new Error('Speaking is billed. Ask your user to start this server with --allow-billing.');
    // As limits do, the budget counts Unicode code points.
    const characters = [...text].length;
    if (characters > this.#left) {
      const excess = `The text has ${characters} characters, and the budget has ${this.#left} left.`;
      throw new Error(`${excess} Shorten it, or ask your user to start the server with a larger --budget.`);
    }
    const path = join(this.#folder, file);
    try {
      // Follows no link.
      closeSync(openSync(path, 'wx'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      throw new Error(`${path} exists. Choose another name.`);
    }
    this.#left -= characters;
    try {
      const format = extname(file).slice(1) as AudioFormat;
      await using audio = await createSpeechClient().speech.create(
        { text, format, ...(reference_id && { reference_id }) },
        { signal, timeouts: { total: maximumMilliseconds }, ...(model && { model }) },
      );
      const bytes = await saveTo(path, atMost(characters * bytesPerCharacter, audio));
      return `Wrote ${path}, ${bytes} bytes. Characters left in the budget: ${this.#left}.`;
    } catch (error) {
      await rm(path, { force: true });
      // After any other failure, the service may have billed them.
      if (RequestError.isInstance(error) || ConfigurationError.isInstance(error)) this.#left += characters;
      throw error;
    }
  }
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
