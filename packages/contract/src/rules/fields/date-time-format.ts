import type { Rule } from '../../judge/rule.ts';
import type { Fields } from '../../subjects/fields.ts';

export const dateTimeFormat: Rule<Fields> = {
  id: 'date-time-format',
  judge: ({ violations }) => violations.filter(({ kind }) => kind === 'date-time'),
};
