import type { Rule } from '../../judge/rule.ts';
import type { ExchangeGroup } from '../../subjects/exchange-group.ts';
import { differences } from '../differences.ts';

export const answersRepeat: Rule<ExchangeGroup> = {
  id: 'answers-repeat',
  judge: (group) => (group.relation === 'repeat' ? differences(group) : undefined),
};
