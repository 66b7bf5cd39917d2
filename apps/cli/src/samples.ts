import { stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { openAudioFile } from '@speech-api/client/node';
import { expectFile, readTextFile } from './files.ts';

const maximumTextBytes = 100_000;

export interface Sample {
  readonly path: string;
  readonly audio: Awaited<ReturnType<typeof openAudioFile>>;
  /** The words in `NAME.txt` next to the recording. */
  readonly text: string | undefined;
}

/** Recordings of a voice, with the words in a file of the same name. */
export async function readSamples(paths: readonly string[]): Promise<Sample[]> {
  return Promise.all(
    paths.map(async (path) => {
      await expectFile(path);
      const { dir, name } = parse(path);
      const beside = join(dir, `${name}.txt`);
      const hasText = await stat(beside).then(
        () => true,
        () => false,
      );
      const text = hasText ? (await readTextFile(beside, maximumTextBytes)).trim() : undefined;
      return { path, audio: await openAudioFile(path), text };
    }),
  );
}
