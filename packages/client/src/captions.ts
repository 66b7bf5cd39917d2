import { asWritten, type CaptionOptions, type TimedText, writeSrt, writeVtt } from '@speech-api/streaming';
import type { Transcription } from '@speech-api/types';

export type { CaptionOptions } from '@speech-api/streaming';

/** A transcript with its timed segments, which are shown as its text writes them; whatever else it has does not matter. */
export type TimedTranscript = Pick<Transcription, 'segments'> & Partial<Pick<Transcription, 'text'>>;

/**
 * A transcript as WebVTT. Its segments come with `ignore_timestamps: false`.
 *
 * @throws `TypeError` for a transcript without a list of segments.
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
export function toVtt(transcript: TimedTranscript, options?: CaptionOptions): string {
  return writeVtt(written(transcript), options);
}

/**
 * A transcript as SubRip.
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
export function toSrt(transcript: TimedTranscript, options?: CaptionOptions): string {
  return writeSrt(written(transcript), options);
}

function written(transcript: TimedTranscript): readonly TimedText[] {
  const { segments, text } = Object(transcript) as Partial<Transcription>;
  if (Array.isArray(segments)) return typeof text === 'string' ? asWritten(segments, text) : segments;
  throw new TypeError('the transcript has no segments; transcribe with ignore_timestamps: false');
}
