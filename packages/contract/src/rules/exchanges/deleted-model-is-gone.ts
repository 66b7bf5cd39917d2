import { type Rule, unless } from '../../judge/rule.ts';
import type { ExchangeGroup } from '../../subjects/exchange-group.ts';
import { stepsOf } from '../voice-steps.ts';

export const deletedModelIsGone: Rule<ExchangeGroup> = {
  id: 'deleted-model-is-gone',
  judge: (group) => {
    const steps = stepsOf(group);
    if (steps?.deleted === undefined || steps.deleted >= 300 || steps.readDeleted === undefined)
      return undefined;
    return unless(steps.readDeleted === 404, {
      message: `The voice model that was deleted is answered with ${steps.readDeleted}, not 404.`,
      expected: '404',
      actual: String(steps.readDeleted),
    });
  },
};
