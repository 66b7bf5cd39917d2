import { type Rule, unless } from '../../judge/rule.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';

export const segmentsHaveText: Rule<Timestamps> = {
  id: 'segments-have-text',
  judge: ({ events }) =>
    events.flatMap(({ index, alignment }) => {
      const empty = alignment?.segments.findIndex(({ text, start }) => text.trim() === '' || start < 0) ?? -1;
      return unless(empty < 0, {
        message: `In event ${index} segment ${empty} has no text or starts before zero.`,
        where: `event ${index} /alignment/segments/${empty}`,
      });
    }),
};
