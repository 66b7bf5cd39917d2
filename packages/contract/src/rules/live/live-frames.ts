import type { Rule } from '../../judge/rule.ts';
import type { LiveSession } from '../../subjects/live-session.ts';

export const liveFrames: Rule<LiveSession> = {
  id: 'live-frames',
  judge: ({ messages }) =>
    messages
      .filter(({ direction }) => direction === 'received')
      .flatMap(({ index, problem }) =>
        problem === undefined
          ? []
          : [{ message: `Message ${index} is no message: ${problem}.`, where: `message ${index}` }],
      ),
};
