import type { Rule } from '../../judge/rule.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';

export const chunksJoinToTheAudio: Rule<Timestamps> = {
  id: 'chunks-join-to-the-audio',
  judge: ({ audio, asked, isWhole }) => {
    if (audio === undefined || !isWhole || asked === undefined) return undefined;
    if ('failure' in audio.inspected)
      return [{ message: `The joined chunks can't be decoded: ${audio.inspected.failure}.` }];
    const { format, described, damage, cut } = audio.inspected.facts;
    if (format !== asked.format)
      return [
        {
          message: `The joined chunks are ${described}, not ${asked.format}.`,
          expected: asked.format,
          actual: described,
        },
      ];
    return [...damage.slice(0, 1), ...(cut === undefined ? [] : [cut])].map(({ message, byte }) => ({
      message: `The joined chunks are not the complete audio: ${message}.`,
      where: `byte ${byte}`,
    }));
  },
};
