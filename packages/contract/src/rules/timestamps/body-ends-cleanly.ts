import { type Rule, unless } from '../../judge/rule.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';

export const bodyEndsCleanly: Rule<Timestamps> = {
  id: 'body-ends-cleanly',
  judge: ({ answer }) => {
    const { ended } = answer.exchange.response;
    if (ended === 'too-large') return undefined;
    const how = ended === 'cut' ? 'breaks off' : 'does not end';
    return unless(ended === 'complete', {
      message: `The stream ${how} after ${answer.body.length} bytes.`,
      where: `byte ${answer.body.length}`,
    });
  },
};
