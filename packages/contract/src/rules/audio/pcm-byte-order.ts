import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedAudio } from '../../subjects/judged-audio.ts';
import { factsOf } from '../../subjects/judged-audio.ts';

export const pcmByteOrder: Rule<JudgedAudio> = {
  id: 'pcm-byte-order',
  judge: (audio) => {
    const { looksByteSwapped } = factsOf(audio) ?? {};
    if (looksByteSwapped === undefined) return undefined;
    return unless(!looksByteSwapped, {
      message: 'The samples make sense only with their bytes swapped.',
      expected: 'little-endian',
      actual: 'big-endian',
    });
  },
};
