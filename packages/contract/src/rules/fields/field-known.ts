import type { Rule } from '../../judge/rule.ts';
import type { Fields } from '../../subjects/fields.ts';

export const fieldKnown: Rule<Fields> = {
  id: 'field-known',
  judge: ({ violations }) => violations.filter(({ kind }) => kind === 'unknown'),
};
