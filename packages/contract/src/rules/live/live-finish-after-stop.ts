import { type Rule, unless } from '../../judge/rule.ts';
import type { LiveSession } from '../../subjects/live-session.ts';

export const liveFinishAfterStop: Rule<LiveSession> = {
  id: 'live-finish-after-stop',
  judge: ({ messages }) => {
    let hasStopped = false;
    return messages.flatMap(({ index, direction, event, map }) => {
      if (direction === 'sent') {
        if (event === 'stop') hasStopped = true;
        if (event === 'start') hasStopped = false;
        return [];
      }
      if (event !== 'finish' || map?.reason !== 'stop') return [];
      return unless(hasStopped, {
        message: `Message ${index} finishes with the reason stop, and the client has not said stop.`,
        where: `message ${index}`,
      });
    });
  },
};
