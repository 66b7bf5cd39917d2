import { changeField, type Field, fieldsOf, nameOf } from '../change/fields.ts';
import type { JsonObject } from '../change/json.ts';
import type { Kind } from '../mutant.ts';
import type { Schema } from '../specification.ts';

/** One way to break one field of a value. */
export interface FieldBreak {
  readonly name: string;
  readonly field: string;
  readonly kind: Kind;
  readonly rules: readonly string[];
  readonly change: (value: unknown) => unknown;
}

/** Each field of a schema dropped, of another type, null, and out of its range, as far as the schema rules that out. */
export function fieldBreaks(root: Schema): FieldBreak[] {
  return fieldsOf(root).flatMap((field) => {
    const make = (
      kind: Kind,
      how: string,
      rules: readonly string[],
      change: (parent: JsonObject, name: string) => void,
    ): FieldBreak => ({
      name: `${nameOf(field)} ${how}`,
      field: nameOf(field),
      kind,
      rules,
      change: (value) => changeField(value, field, change),
    });
    const set = (value: unknown) => (parent: JsonObject, name: string) => {
      parent[name] = value;
    };
    const breaks: FieldBreak[] = [];
    if (field.required) {
      breaks.push(
        make('field dropped', 'dropped', ['field-present'], (parent, name) => {
          delete parent[name];
        }),
      );
    }
    const other = ofAnotherType(field);
    if (other !== undefined) {
      breaks.push(make('field of another type', `is ${other.words}`, ['field-type'], set(other.value)));
    }
    if (!field.types.includes('null')) breaks.push(make('field null', 'is null', ['field-type'], set(null)));
    for (const { words, value, rules } of outOfRange(field)) {
      breaks.push(make('field out of range', words, rules, set(value)));
    }
    return breaks;
  });
}

/** The likeliest mistake: numbers and truth in words, one thing in place of a list. */
function ofAnotherType({ types }: Field): { words: string; value: unknown } | undefined {
  if (types.includes('integer') || types.includes('number'))
    return { words: 'a number in words', value: '12' };
  if (types.includes('boolean')) return { words: 'a truth in words', value: 'true' };
  if (types.includes('array')) return { words: 'one thing, no list', value: { first: 'words' } };
  if (types.includes('object')) return { words: 'text, no object', value: 'words' };
  if (types.includes('string')) return { words: 'a number', value: 12 };
  return undefined;
}

interface OutOfRange {
  readonly words: string;
  readonly value: unknown;
  readonly rules: readonly string[];
}

/** Counts that can't be negative; whether the total of a package can is not stated. */
const counts = /(_count|duration_ms)$/;

function outOfRange({ schema, types, path }: Field): OutOfRange[] {
  const found: OutOfRange[] = [];
  if (schema.enum !== undefined) {
    found.push({ words: 'has an unlisted value', value: 'otherwise', rules: ['listed-values'] });
  }
  if (schema.format === 'date-time') {
    found.push(
      { words: 'is no date', value: 'yesterday at noon', rules: ['date-time-format'] },
      { words: 'is a date without a time', value: '2026-03-01', rules: ['date-time-format'] },
      { words: 'has no offset', value: '2026-03-01T09:30:00', rules: ['date-time-format'] },
    );
  }
  if (types.includes('integer')) found.push({ words: 'has a fraction', value: 1.5, rules: ['field-type'] });
  if (counts.test(path.at(-1) ?? '')) {
    found.push({ words: 'is negative', value: -1, rules: ['model-counts'] });
  }
  return found;
}
