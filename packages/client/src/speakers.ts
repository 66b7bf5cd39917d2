import type { Transcription } from '@speech-api/types';

/** The words of one speaker without a break. Speaker numbers are valid within one transcription only. */
export interface SpokenTurn {
  /** Such as `speaker:0`. */
  readonly speaker: string;
  readonly text: string;
  /** In seconds; only where the transcription has times. */
  readonly start?: number;
  readonly end?: number;
}

/**
 * The words by speaker, from the `speaker_turns` of a transcription or from the marks in its text. Empty where the speakers were
 * not told apart. The transcription stays as it is.
 *
 * @example
 * ```ts
 * import { createSpeechClient, speakersOf } from '@speech-api/client';
 * import { openAudioFile } from '@speech-api/client/node';
 *
 * const audio = await openAudioFile('interview.mp3');
 * const request = { audio, diarize: true, ignore_timestamps: false };
 * const transcription = await createSpeechClient().transcriptions.create(request, { model: 'transcribe-1-pro' });
 * for (const { speaker, text } of speakersOf(transcription)) console.log(`${speaker}: ${text}`);
 * ```
 */
export function speakersOf(
  transcription: Pick<Transcription, 'text' | 'speaker_turns'>,
): readonly SpokenTurn[] {
  const { text, speaker_turns = [] } = transcription;
  if (speaker_turns.length > 0) return speaker_turns;
  const turns: SpokenTurn[] = [];
  const marked = text.split(/<\|(speaker:\d+)\|>/);
  for (let index = 1; index < marked.length; index += 2) {
    turns.push({ speaker: marked[index] ?? '', text: (marked[index + 1] ?? '').trim() });
  }
  return turns;
}
