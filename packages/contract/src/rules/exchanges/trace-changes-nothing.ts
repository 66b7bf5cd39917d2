import type { Rule } from '../../judge/rule.ts';
import type { ExchangeGroup } from '../../subjects/exchange-group.ts';
import { differences } from '../differences.ts';

export const traceChangesNothing: Rule<ExchangeGroup> = {
  id: 'trace-changes-nothing',
  judge: (group) => (group.relation === 'trace' ? differences(group) : undefined),
};
