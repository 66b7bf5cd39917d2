import type { Rule } from '../../judge/rule.ts';
import type { LiveSession } from '../../subjects/live-session.ts';
import { judgeFields } from '../judge-live-fields.ts';

export const liveMessageFields: Rule<LiveSession> = {
  id: 'live-message-fields',
  judge: ({ messages }) =>
    judgeFields(messages, ({ kind, pointer }) => kind !== 'unknown' && pointer !== '/reason'),
};
