import type { Rule } from '../../judge/rule.ts';
import type { JudgedAudio } from '../../subjects/judged-audio.ts';
import { factsOf } from '../../subjects/judged-audio.ts';

export const audioEndsWhole: Rule<JudgedAudio> = {
  id: 'audio-ends-whole',
  judge: (audio) => {
    const facts = factsOf(audio);
    if (facts === undefined) return undefined;
    const { cut } = facts;
    return cut === undefined
      ? []
      : [{ message: `The audio does not end whole: ${cut.message}.`, where: `byte ${cut.byte}` }];
  },
};
