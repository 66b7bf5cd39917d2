import { type Rule, unless } from '../../judge/rule.ts';
import type { ExchangeGroup } from '../../subjects/exchange-group.ts';
import { stepsOf } from '../voice-steps.ts';

export const deletedModelIsGone: Rule<ExchangeGroup> = {
  id: 'deleted-model-is-gone',
  judge: (group) => {
    const { deleted, readDeleted } = stepsOf(group) ?? {};
    if (deleted === undefined || deleted.status >= 300 || readDeleted === undefined) return undefined;
    return unless(readDeleted.status === 404, {
      exchange: readDeleted.exchange,
      message: `The voice model that was deleted is answered with ${readDeleted.status}, not 404.`,
      expected: '404',
      actual: String(readDeleted.status),
    });
  },
};
