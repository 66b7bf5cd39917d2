import type { Rules, Verdict } from '../problem.ts';
import type { FieldViolation } from '../specification/field-violations.ts';
import type { Fields } from '../subjects/fields.ts';

export const fieldRules: Rules<Fields> = {
  'body-decodes': ({ undecoded }) => undecoded,

  'field-present': (fields) => violationsOf(fields, 'missing'),

  'field-type': (fields) => violationsOf(fields, 'type', 'value'),

  'listed-values': (fields) => violationsOf(fields, 'listed'),

  'date-time-format': (fields) => violationsOf(fields, 'date-time'),

  'field-known': (fields) => violationsOf(fields, 'unknown'),
};

/** A field that the interface does not state is broken with a warning. */
function violationsOf({ violations }: Fields, ...kinds: readonly FieldViolation['kind'][]): Verdict {
  return violations
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ isOurs, ...violation }) => ({
      ...violation,
      ...(isOurs && violation.kind !== 'unknown' && { severity: 'warning' as const }),
    }));
}
