import type { Rules } from '../judge/protocol.ts';
import type { Fields } from '../subjects/fields.ts';

export const fieldRules: Rules<Fields> = {
  'body-decodes': ({ undecoded }) => undecoded,

  'field-present': ({ violations }) => violations.filter(({ kind }) => kind === 'missing'),

  'field-type': ({ violations }) => violations.filter(({ kind }) => kind === 'type' || kind === 'value'),

  'listed-values': ({ violations }) => violations.filter(({ kind }) => kind === 'listed'),

  'date-time-format': ({ violations }) => violations.filter(({ kind }) => kind === 'date-time'),

  'field-known': ({ violations }) => violations.filter(({ kind }) => kind === 'unknown'),
};
