import { closeSync, openSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { ApiError, ConfigurationError, createSpeechClient, RequestError } from '@speech-api/client';
import { toSrt } from '@speech-api/client/captions';
import { openAudioFile, saveTo } from '@speech-api/client/node';
import { type AudioFormat, audioFormats } from '@speech-api/types';
import { z } from 'zod';

// A plain name: with a slash, a drive or dots at its beginning it could lead out of the folder.
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
export const transcribeRequest = z.strictObject({
  file: z.string().min(1).max(255).describe('a recording in the folder of this server, such as talk.mp3'),
  language: z.string().optional().describe('an ISO code such as en'),
  captions: z.boolean().default(false).describe('true for SubRip captions in place of the text'),
});

const maximumMilliseconds = 10 * 60 * 1000;
/** Twelve seconds of wav: nobody speaks that slowly. */
const bytesPerCharacter = 1024 * 1024;

/** What the process may still send to be billed. */
interface Budget {
  characters: number;
  recordings: number;
}

/** Speaks into new files of one folder and transcribes its recordings, within a budget. Without a folder it sends nothing. */
export class BilledCalls {
  readonly #folder: string | undefined;
  readonly #budget: Budget;

  constructor(folder: string | undefined, budget: Budget) {
    this.#folder = folder;
    this.#budget = { ...budget };
  }

  async transcribe(request: z.infer<typeof transcribeRequest>, signal: AbortSignal): Promise<string> {
    const { file, language, captions } = request;
    const path = this.#pathOf(file);
    const isFile = file === basename(file) && (await lstat(path).catch(() => undefined))?.isFile();
    if (!isFile) throw new Error(`There is no file ${JSON.stringify(file)} in the folder of this server.`);
    const audio = await openAudioFile(path);
    const transcription = await this.#spend('recordings', 1, () =>
      createSpeechClient().transcriptions.create(
        { audio, ignore_timestamps: !captions, ...(language && { language }) },
        { signal, timeouts: { total: maximumMilliseconds } },
      ),
    );
    return captions ? toSrt(transcription) : transcription.text;
  }

  async speak(request: z.infer<typeof speakRequest>, signal: AbortSignal): Promise<string> {
    const { file, text, reference_id, model } = request;
    const path = this.#pathOf(file);
    // As limits do, the budget counts Unicode code points.
    const characters = [...text].length;
    return this.#spend('characters', characters, async () => {
      try {
        // Follows no link.
        closeSync(openSync(path, 'wx'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        throw new NothingSent(`${path} exists. Choose another name.`);
      }
      try {
        const format = extname(file).slice(1) as AudioFormat;
        await using audio = await createSpeechClient().speech.create(
          { text, format, ...(reference_id && { reference_id }) },
          { signal, timeouts: { total: maximumMilliseconds }, ...(model && { model }) },
        );
        const bytes = await saveTo(path, atMost(characters * bytesPerCharacter, audio));
        return `Wrote ${path}, ${bytes} bytes. Characters left in the budget: ${this.#budget.characters}.`;
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    });
  }

  #pathOf(file: string): string {
    if (this.#folder !== undefined) return join(this.#folder, file);
    throw new Error('This call is billed. Ask your user to start this server with --allow-billing.');
  }

  /** Counts an amount against the budget, unless the call fails in a way that certainly cost nothing. */
  async #spend<Result>(unit: keyof Budget, amount: number, call: () => Promise<Result>): Promise<Result> {
    if (amount > this.#budget[unit])
      throw new Error(
        `This takes ${amount} ${unit}, and the budget has ${this.#budget[unit]} left. Ask your user to start the server with a larger one.`,
      );
    this.#budget[unit] -= amount;
    try {
      return await call();
    } catch (error) {
      if (isFree(error)) this.#budget[unit] += amount;
      throw error;
    }
  }
}

async function* atMost(maximumBytes: number, audio: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of audio) {
    bytes += piece.length;
    if (bytes > maximumBytes)
      throw new Error(`The audio is longer than ${maximumBytes} bytes, too long for this text.`);
    yield piece;
  }
}

class NothingSent extends Error {}

/** True for a call that was not sent, and for a refusal: an answer from 400 to 499. */
function isFree(error: unknown): boolean {
  if (ApiError.isInstance(error)) return (error.status ?? 500) < 500;
  return (
    error instanceof NothingSent || RequestError.isInstance(error) || ConfigurationError.isInstance(error)
  );
}
