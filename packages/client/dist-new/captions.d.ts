import { TimedText, Timeline, CaptionOptions } from '@speech-api/streaming';
export { CaptionOptions } from '@speech-api/streaming';

/** A transcript with its timed segments, which are shown as its text writes them; whatever else it has does not matter. */
interface TimedTranscript {
	readonly segments?: readonly TimedText[];
	readonly text?: string;
}
/**
 * A transcript or the timeline of a stream as WebVTT. The segments of a transcript come with `ignore_timestamps: false`.
 *
 * @throws `TypeError` for a transcript without segments, and for a timeline that has none yet.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 * import { toVtt } from '@speech-api/client/captions';
 * import { openAudioFile } from '@speech-api/client/node';
 *
 * const audio = await openAudioFile('interview.mp3');
 * const transcript = await createSpeechClient().transcriptions.create({ audio, ignore_timestamps: false });
 * console.log(toVtt(transcript, { lineLength: 32 }));
 * ```
 */
declare function toVtt(transcript: TimedTranscript | Timeline, options?: CaptionOptions): string;
/**
 * A transcript or the timeline of a stream as SubRip.
 *
 * @throws `TypeError` as {@link toVtt} does.
 *
 * @example
 * ```ts
 * import { toSrt } from '@speech-api/client/captions';
 *
 * console.log(toSrt({ segments: [{ text: 'Good morning.', start: 0, end: 1.2 }] }));
 * ```
 */
declare function toSrt(transcript: TimedTranscript | Timeline, options?: CaptionOptions): string;

export { toSrt, toVtt };
export type { TimedTranscript };
