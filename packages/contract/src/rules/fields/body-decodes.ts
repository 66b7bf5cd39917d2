import type { Rule } from '../../judge/rule.ts';
import type { Fields } from '../../subjects/fields.ts';

export const bodyDecodes: Rule<Fields> = {
  id: 'body-decodes',
  judge: ({ undecoded }) => undecoded,
};
