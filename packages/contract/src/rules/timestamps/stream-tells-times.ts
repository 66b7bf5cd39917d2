import { type Rule, unless } from '../../judge/rule.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';

export const streamTellsTimes: Rule<Timestamps> = {
  id: 'stream-tells-times',
  judge: ({ events, asked, isWhole }) => {
    if (asked === undefined || asked.letters === 0 || !isWhole || events.length === 0) return undefined;
    return unless(
      events.some(({ alignment }) => (alignment?.segments.length ?? 0) > 0),
      {
        message: `None of the ${events.length} events has a snapshot with segments.`,
      },
    );
  },
};
