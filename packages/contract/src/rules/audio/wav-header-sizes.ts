import type { Rule } from '../../judge/rule.ts';
import type { JudgedAudio } from '../../subjects/judged-audio.ts';
import { factsOf } from '../../subjects/judged-audio.ts';

export const wavHeaderSizes: Rule<JudgedAudio> = {
  id: 'wav-header-sizes',
  judge: (audio) => {
    const found = factsOf(audio);
    if (found?.format !== 'wav') return undefined;
    const { wrongSize } = found;
    return wrongSize === undefined
      ? []
      : [
          {
            message: `A size in the header is wrong: ${wrongSize.message}.`,
            where: `byte ${wrongSize.byte}`,
          },
        ];
  },
};
