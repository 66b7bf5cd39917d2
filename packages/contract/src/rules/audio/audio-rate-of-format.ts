import { sampleRates } from '@speech-api/types';
import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedAudio } from '../../subjects/judged-audio.ts';
import { factsOf } from '../../subjects/judged-audio.ts';

export const audioRateOfFormat: Rule<JudgedAudio> = {
  id: 'audio-rate-of-format',
  judge: (audio) => {
    const { sampleRate, format } = factsOf(audio) ?? {};
    if (sampleRate === undefined || format === undefined || format === 'other' || format === 'pcm')
      return undefined;
    const rates: readonly number[] = sampleRates[format];
    return unless(rates.includes(sampleRate), {
      message: `${format} of ${sampleRate} Hz is none of the contract.`,
      expected: `${rates.join(', ')} Hz`,
      actual: `${sampleRate} Hz`,
    });
  },
};
