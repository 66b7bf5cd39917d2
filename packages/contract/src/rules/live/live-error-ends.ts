import { type Rule, unless } from '../../judge/rule.ts';
import type { LiveSession } from '../../subjects/live-session.ts';

export const liveErrorEnds: Rule<LiveSession> = {
  id: 'live-error-ends',
  judge: ({ messages, exchange }) => {
    const error = messages.find(({ direction, event }) => direction === 'received' && event === 'error');
    if (error === undefined) return undefined;
    const after = messages.find(({ direction, index }) => direction === 'received' && index > error.index);
    return [
      ...unless(after === undefined, {
        message: `Message ${after?.index} comes after the error.`,
        where: `message ${after?.index}`,
      }),
      ...unless(exchange.close?.by === 'server', {
        message: 'The server does not close the socket after its error.',
        where: `message ${error.index}`,
      }),
    ];
  },
};
