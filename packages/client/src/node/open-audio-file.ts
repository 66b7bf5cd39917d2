import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';

/**
 * An audio file for a reference, a voice or a transcription, by its path.
 *
 * The file is read while it is sent and never held in memory as a whole; leave it unchanged until then.
 *
 * @throws the error of the file system when there is no such file.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 * import { openAudioFile } from '@speech-api/client/node';
 *
 * const client = createSpeechClient();
 * const references = [{ audio: await openAudioFile('sample.wav'), text: 'What is said in the sample.' }];
 * const audio = await client.speech.create({ text: 'In the same voice.', references });
 * ```
 */
export async function openAudioFile(path: string): Promise<File> {
  return new File([await openAsBlob(path)], basename(path));
}
