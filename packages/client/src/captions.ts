import {
  asWritten,
  type CaptionOptions,
  type TimedText,
  type Timeline,
  writeSrt,
  writeVtt,
} from '@speech-api/streaming';

export type { CaptionOptions } from '@speech-api/streaming';

/** A transcript with its timed segments, which are shown as its text writes them; whatever else it has does not matter. */
export interface TimedTranscript {
  readonly segments?: readonly TimedText[];
  readonly text?: string;
}

/**
 * A transcript or the timeline of a stream as WebVTT. The segments of a transcript come with `ignore_timestamps: false`.
 *
 * @throws `TypeError` for a transcript without segments or with times that cannot be, and for a timeline that has no
 * words yet.
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
export function toVtt(transcript: TimedTranscript | Timeline, options?: CaptionOptions): string {
  const segments = written(transcript);
  return 'toVtt' in transcript ? transcript.toVtt(options) : writeVtt(segments, options);
}

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
export function toSrt(transcript: TimedTranscript | Timeline, options?: CaptionOptions): string {
  const segments = written(transcript);
  return 'toSrt' in transcript ? transcript.toSrt(options) : writeSrt(segments, options);
}

function written(transcript: TimedTranscript): readonly TimedText[] {
  const { segments, text, isComplete } = Object(transcript) as TimedTranscript & Partial<Timeline>;
  // Silence has no words, so captions without any are right.
  const isSilent = isComplete || (typeof text === 'string' && !/[\p{L}\p{N}]/u.test(text));
  if (Array.isArray(segments) && (segments.length > 0 || isSilent)) {
    const wrong = segments.find(({ start, end }) => start < 0 || end < start);
    if (wrong) {
      throw new TypeError(
        `"${wrong.text}" is from ${wrong.start} s to ${wrong.end} s; no caption can show that`,
      );
    }
    return typeof text === 'string' ? asWritten(segments, text) : segments;
  }
  if (Array.isArray(segments) && 'toVtt' in transcript) {
    throw new TypeError('the timeline has no words yet; read the stream to its end, or collect() it, first');
  }
  throw new TypeError('the transcript has no segments; transcribe with ignore_timestamps: false');
}
