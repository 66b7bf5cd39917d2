import type { Rule } from '../../judge/rule.ts';
import { violationsOfMessage } from '../../subjects/fields.ts';
import type { LiveSession } from '../../subjects/live-session.ts';
import { judgeFields } from '../judge-live-fields.ts';

export const liveKnownMessages: Rule<LiveSession> = {
  id: 'live-known-messages',
  judge: ({ messages }) => [
    ...judgeFields(messages, ({ kind }) => kind === 'unknown'),
    ...messages
      .filter(
        ({ direction, map, event }) =>
          direction === 'received' &&
          event !== undefined &&
          map !== undefined &&
          violationsOfMessage(map) === undefined,
      )
      .map(({ index, event }) => ({
        message: `Message ${index} is ${JSON.stringify(event)}, which the specification does not know.`,
        where: `message ${index}`,
      })),
  ],
};
