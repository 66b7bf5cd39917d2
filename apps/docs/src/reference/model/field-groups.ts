import groups from '../field-groups.json' with { type: 'json' };
import type { Field } from './page-model.ts';

/** Fields that belong together, under a title. */
export interface FieldGroup {
  readonly title: string;
  readonly anchor: string;
  readonly fields: readonly Field[];
}

/** The fields that every request to speak has: with them, the fields of a list are grouped. */
const markers = ['text', 'format'];

/**
 * The fields of a request to speak in groups, those that matter first; nothing for any other list.
 * A field that is in no group of the list is in the last one.
 */
export function groupFields(fields: readonly Field[]): readonly FieldGroup[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  if (markers.some((name) => !byName.has(name))) return [];
  const known = new Set(groups.flatMap((group) => group.fields));
  const without = fields.map(({ name }) => name).filter((name) => !known.has(name));
  return [...groups, { title: 'More', fields: without }]
    .filter((group) => group.fields.length > 0)
    .map(({ title, fields: names }) => ({
      title,
      anchor: `body-group-${title.toLowerCase().replaceAll(' ', '-')}`,
      fields: names.flatMap((name) => byName.get(name) ?? []),
    }));
}
