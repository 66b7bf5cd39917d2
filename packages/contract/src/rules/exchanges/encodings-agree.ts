import type { Rule } from '../../judge/rule.ts';
import type { ExchangeGroup } from '../../subjects/exchange-group.ts';
import { differences } from '../differences.ts';

export const encodingsAgree: Rule<ExchangeGroup> = {
  id: 'encodings-agree',
  judge: (group) => (group.relation === 'encodings' ? differences(group) : undefined),
};
