import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedTranscription } from '../../subjects/transcription.ts';

export const transcriptionDuration: Rule<JudgedTranscription> = {
  id: 'transcription-duration',
  judge: ({ duration, audioSeconds }) => {
    if (duration === undefined || audioSeconds === undefined) return undefined;
    return unless(Math.abs(duration - audioSeconds) <= 0.1 + audioSeconds * 0.02, {
      message: `The duration is ${duration} seconds, the audio lasts ${audioSeconds.toFixed(3)}.`,
      where: '/duration',
      expected: audioSeconds.toFixed(3),
      actual: String(duration),
    });
  },
};
