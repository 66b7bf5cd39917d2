import { type Rule, unless } from '../../judge/rule.ts';
import type { LiveSession } from '../../subjects/live-session.ts';

export const liveFinishComes: Rule<LiveSession> = {
  id: 'live-finish-comes',
  judge: ({ turns, messages, exchange }) => {
    if (turns.length === 0 || exchange.expectation?.outcome === 'refused') return undefined;
    const open = turns.filter(({ hasStopped, hasError }) => hasStopped && !hasError);
    const finishes = messages.filter(
      ({ direction, event }) => direction === 'received' && event === 'finish',
    ).length;
    const missing = open.filter(({ finished }) => finished === undefined).length;
    return [
      ...unless(missing === 0, {
        message: `The client has said stop, and no finish came${missing > 1 ? `, ${missing} times` : ''}.`,
      }),
      ...unless(finishes <= turns.length, { message: `${finishes} finish came for ${turns.length} start.` }),
    ];
  },
};
