import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedTranscription } from '../../subjects/transcription.ts';

export const transcriptionDurationUnit: Rule<JudgedTranscription> = {
  id: 'transcription-duration-unit',
  judge: ({ duration, audioSeconds }) => {
    if (duration === undefined || audioSeconds === undefined || audioSeconds === 0) return undefined;
    const ratio = duration / audioSeconds;
    return unless(ratio < 10 && ratio > 0.1, {
      message: `The duration is ${duration}, and the audio lasts ${audioSeconds.toFixed(3)} seconds.`,
      where: '/duration',
      expected: audioSeconds.toFixed(3),
      actual: String(duration),
    });
  },
};
