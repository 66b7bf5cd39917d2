import { type Rule, unless } from '../../judge/rule.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';

export const streamHasEvents: Rule<Timestamps> = {
  id: 'stream-has-events',
  judge: ({ raw, isWhole }) => {
    if (!isWhole) return undefined;
    return unless(raw.events.length > 0, { message: 'The stream ends without an event.' });
  },
};
