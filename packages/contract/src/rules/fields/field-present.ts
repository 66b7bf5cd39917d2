import type { Rule } from '../../judge/rule.ts';
import type { Fields } from '../../subjects/fields.ts';

export const fieldPresent: Rule<Fields> = {
  id: 'field-present',
  judge: ({ violations }) => violations.filter(({ kind }) => kind === 'missing'),
};
