import { type OpenApiDocument, resolveReference, type Schema } from '../spec/document.ts';
import { itemsOf, propertiesOf, typesOf } from '../spec/schema.ts';
import { chooseBranch } from '../validate/branch.ts';

type ChangeEntries = (
  entries: readonly [string, unknown][],
  properties: ReadonlyMap<string, Schema>,
) => readonly [string, unknown][];

/** A copy without the fields that are null where their schema has no null: they mean "left out". */
export function withoutNulls(document: OpenApiDocument, schema: Schema, value: unknown): unknown {
  return rebuild(document, schema, value, (entries, properties) =>
    entries.filter(([name, field]) => {
      const property = properties.get(name);
      return field !== null || property === undefined || typesOf(document, property).has('null');
    }),
  );
}

/** A copy without the fields that a closed schema does not name. */
export function withoutUnknown(document: OpenApiDocument, schema: Schema, value: unknown): unknown {
  return rebuild(document, schema, value, (entries, properties) =>
    // A schema without properties is an open one, such as a free-form object.
    properties.size === 0 ? entries : entries.filter(([name]) => properties.has(name)),
  );
}

function rebuild(document: OpenApiDocument, schema: Schema, value: unknown, change: ChangeEntries): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) {
    const items = itemsOf(document, schema);
    return items ? value.map((item) => rebuild(document, items, item, change)) : value;
  }
  const branch = resolveReference(document, chooseBranch(schema, value));
  const properties = propertiesOf(document, branch);
  return Object.fromEntries(
    change(Object.entries(value), properties).map(([name, field]) => {
      const property = properties.get(name);
      return [name, property ? rebuild(document, property, field, change) : field];
    }),
  );
}
