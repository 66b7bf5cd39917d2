import { type Rule, unless } from '../../judge/rule.ts';
import type { ExchangeGroup } from '../../subjects/exchange-group.ts';
import { stepsOf } from '../voice-steps.ts';

export const createdModelSpeaks: Rule<ExchangeGroup> = {
  id: 'created-model-speaks',
  judge: (group) => {
    const steps = stepsOf(group);
    if (
      steps?.use === undefined ||
      steps.created?.state !== 'trained' ||
      notAboutTheModel.includes(steps.use.status)
    )
      return undefined;
    return unless(steps.use.status === 200 || steps.use.status === 101, {
      exchange: steps.use.exchange,
      message: `The voice model that was created is answered with ${steps.use.status} when it is used.`,
      expected: '200',
      actual: String(steps.use.status),
    });
  },
};

/** No credit, too many at once, no room. */
const notAboutTheModel = [402, 429, 503];
