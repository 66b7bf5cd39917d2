import type { Rule } from '../../judge/rule.ts';
import type { Fields } from '../../subjects/fields.ts';

export const listedValues: Rule<Fields> = {
  id: 'listed-values',
  judge: ({ violations }) => violations.filter(({ kind }) => kind === 'listed'),
};
