import { AudioFormat } from '@speech-api/types';
export { A as AudioStream, R as ReadAudioOptions, r as readAudio } from './read-audio-BiypwEWk.js';

/**
 * An audio file for a reference, a voice or a transcription, by its path.
 *
 * The file is read while it is sent and never held in memory as a whole; leave it unchanged until then. A call refuses a
 * file that has changed since it was opened.
 *
 * @throws `RequestError` for a folder, and the error of the file system when there is no such file.
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
declare function openAudioFile(path: string): Promise<File>;

/** Audio that can be written to a file: a `SpeechAudio`, a `SpeechStream`, live speech, a body, or any pieces. */
type SavableAudio = AsyncIterable<Uint8Array | {
	readonly type: string;
	readonly audio?: Uint8Array;
}> & {
	readonly format?: AudioFormat;
	/** Written over the beginning when the last piece is there: what `speakLong` knows only then. */
	readonly head?: Uint8Array | undefined;
};
/**
 * Writes audio to a file while it arrives and resolves to its size in bytes.
 *
 * The file appears under its name only when it is complete, in place of one that was there, whose mode it keeps; when the
 * audio fails, nothing is left behind. A link is followed. A wav file gets its true sizes, which a stream cannot know; a
 * pipe or a device is written to as the audio arrives, and gets none.
 *
 * @throws `TypeError` for anything but a stream, what reading the audio throws, and the errors of the file system.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 * import { saveTo } from '@speech-api/client/node';
 *
 * const client = createSpeechClient();
 * const audio = await client.speech.create({ text: 'Good morning.', format: 'wav' });
 * console.log(await saveTo('good-morning.wav', audio));
 * ```
 */
declare function saveTo(path: string, audio: SavableAudio): Promise<number>;

export { openAudioFile, saveTo };
export type { SavableAudio };
