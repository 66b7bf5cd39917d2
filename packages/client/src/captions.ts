import { type CaptionOptions, writeSrt, writeVtt } from '@speech-api/streaming';
import type { Transcription } from '@speech-api/types';

export type { CaptionOptions } from '@speech-api/streaming';

/** A transcript with its timed segments; whatever else it has does not matter. */
export type TimedTranscript = Pick<Transcription, 'segments'>;

/**
 * A transcript as WebVTT. Its segments come with `ignore_timestamps: false`; without any there are no cues.
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
export function toVtt({ segments }: TimedTranscript, options?: CaptionOptions): string {
  return writeVtt(segments, options);
}

/**
 * A transcript as SubRip.
 *
 * @example
 * ```ts
 * import { toSrt } from '@speech-api/client/captions';
 *
 * console.log(toSrt({ segments: [{ text: 'Good morning.', start: 0, end: 1.2 }] }));
 * ```
 */
export function toSrt({ segments }: TimedTranscript, options?: CaptionOptions): string {
  return writeSrt(segments, options);
}
