import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedAudio } from '../../subjects/judged-audio.ts';

export const audioNotEmpty: Rule<JudgedAudio> = {
  id: 'audio-not-empty',
  judge: ({ inspected, bytes, asked }) => {
    if (!('facts' in inspected) || asked?.letters === 0) return undefined;
    if (inspected.facts.format === 'other' && bytes.length > 0) return undefined;
    return unless(inspected.facts.samples > 0, {
      message: `The audio has ${bytes.length} bytes and no sample.`,
    });
  },
};
