import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedAudio } from '../../subjects/judged-audio.ts';

export const audioFormat: Rule<JudgedAudio> = {
  id: 'audio-format',
  judge: ({ inspected, asked, bytes }) => {
    if (asked === undefined || !('facts' in inspected) || bytes.length === 0) return undefined;
    const { format, described } = inspected.facts;
    return unless(format === asked.format, {
      message: `The audio was asked for as ${asked.format} and is ${described}.`,
      where: 'byte 0',
      expected: asked.format,
      actual: described,
    });
  },
};
