import { type Rule, unless } from '../../judge/rule.ts';
import type { LiveSession } from '../../subjects/live-session.ts';

export const liveStartsWithStart: Rule<LiveSession> = {
  id: 'live-starts-with-start',
  judge: ({ messages }) => {
    let isOpen = false;
    return messages.flatMap(({ index, direction, event }) => {
      if (direction === 'sent') {
        isOpen ||= event === 'start';
        return [];
      }
      if (event !== 'audio' && event !== 'finish') return [];
      const wasOpen = isOpen;
      if (event === 'finish') isOpen = false;
      return unless(wasOpen, {
        message: `Message ${index}, ${event}, comes while no session is open: before start, or after finish.`,
        where: `message ${index}`,
      });
    });
  },
};
