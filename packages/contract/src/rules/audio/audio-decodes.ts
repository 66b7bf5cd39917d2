import type { Rule } from '../../judge/rule.ts';
import type { JudgedAudio } from '../../subjects/judged-audio.ts';

export const audioDecodes: Rule<JudgedAudio> = {
  id: 'audio-decodes',
  judge: ({ inspected, bytes }) => {
    if ('failure' in inspected) return [{ message: `The audio can't be decoded: ${inspected.failure}.` }];
    const { format, described, damage } = inspected.facts;
    if (format === 'other') {
      // No audio at all is told by a rule of its own.
      return bytes.length === 0
        ? undefined
        : [{ message: `The audio can't be decoded: it is ${described}.`, where: 'byte 0' }];
    }
    // One damaged place leads to others.
    return damage.slice(0, 1).map(({ message, byte }) => ({
      message: `The audio is damaged: ${message}${damage.length > 1 ? `, and ${damage.length - 1} more` : ''}.`,
      where: `byte ${byte}`,
    }));
  },
};
