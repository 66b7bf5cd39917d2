import type { Rule } from '../../judge/rule.ts';
import type { Fields } from '../../subjects/fields.ts';

export const fieldType: Rule<Fields> = {
  id: 'field-type',
  judge: ({ violations }) => violations.filter(({ kind }) => kind === 'type' || kind === 'value'),
};
