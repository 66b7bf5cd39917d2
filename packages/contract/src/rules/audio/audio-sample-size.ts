import { bitsPerSample } from '@speech-api/types';
import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedAudio } from '../../subjects/judged-audio.ts';
import { factsOf } from '../../subjects/judged-audio.ts';

export const audioSampleSize: Rule<JudgedAudio> = {
  id: 'audio-sample-size',
  judge: (audio) => {
    const { bitsPerSample: bits, format } = factsOf(audio) ?? {};
    if (bits === undefined || format !== 'wav') return undefined;
    return unless(bits === bitsPerSample[format], {
      message: `The samples have ${bits} bits, not ${bitsPerSample[format]}.`,
      expected: String(bitsPerSample[format]),
      actual: String(bits),
    });
  },
};
