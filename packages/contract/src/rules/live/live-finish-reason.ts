import { type Rule, unless } from '../../judge/rule.ts';
import { show } from '../../specification/field-violations.ts';
import type { LiveSession } from '../../subjects/live-session.ts';

export const liveFinishReason: Rule<LiveSession> = {
  id: 'live-finish-reason',
  judge: ({ messages }) =>
    messages
      .filter(({ direction, event }) => direction === 'received' && event === 'finish')
      .flatMap(({ index, map }) =>
        unless(map?.reason === 'stop' || map?.reason === 'error', {
          message: `The reason of finish is ${show(map?.reason)}.`,
          where: `message ${index} /reason`,
          expected: 'stop or error',
          actual: show(map?.reason),
        }),
      ),
};
