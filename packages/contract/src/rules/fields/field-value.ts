import type { Rule } from '../../judge/rule.ts';
import type { Fields } from '../../subjects/fields.ts';

export const fieldValue: Rule<Fields> = {
  id: 'field-value',
  judge: ({ violations }) => violations.filter(({ kind }) => kind === 'value'),
};
