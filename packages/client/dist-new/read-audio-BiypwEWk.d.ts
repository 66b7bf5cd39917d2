/** Audio that comes in pieces: a web stream, a Node stream, a response body, a generator. */
type AudioStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
/** Options for reading a stream into a file. */
interface ReadAudioOptions {
	/** The name that goes with it, such as `sample.wav`. @defaultValue `audio` */
	readonly name?: string;
	/** A longer stream is an error, and is left. Bytes. @defaultValue 67108864, the largest body that is accepted */
	readonly maximumBytes?: number;
}
/**
 * Reads a stream to its end as a file for a reference, a voice or a transcription. Requests name their length before
 * they are sent, so a stream is held in memory first; a file on disk is better opened with
 * `openAudioFile`. It runs wherever the client does.
 *
 * @throws `RangeError` beyond `maximumBytes`, `TypeError` for anything but a stream, and what the stream throws.
 *
 * @example
 * ```ts
 * import { readAudio } from '@speech-api/client';
 *
 * const stream = new Blob([Uint8Array.of(1, 2, 3)]).stream();
 * const audio = await readAudio(stream, { name: 'sample.wav' });
 * console.log(audio.name, audio.size);
 * ```
 */
declare function readAudio(stream: AudioStream, options?: ReadAudioOptions): Promise<File>;

export { readAudio as r };
export type { AudioStream as A, ReadAudioOptions as R };
