import type { FormEntry } from '../decode/form.ts';
import type { OpenApiDocument, Schema } from '../spec/document.ts';
import { itemsOf, propertiesOf, typesOf } from '../spec/schema.ts';

/**
 * Gives the entries of a form or a query the shape its schema asks for, since a form knows text and files only:
 * a repeated name becomes an array where one is allowed, `true` and `false` become booleans, digits numbers.
 * Whatever does not read as the type stays text, for validation to complain about.
 */
export function shapeForm(
  document: OpenApiDocument,
  schema: Schema,
  entries: readonly FormEntry[],
): Record<string, unknown> {
  const properties = propertiesOf(document, schema);
  const byName = new Map<string, unknown[]>();
  for (const { name, value } of entries) {
    const values = byName.get(name) ?? [];
    values.push(typeof value === 'string' ? value : value.bytes);
    byName.set(name, values);
  }
  return Object.fromEntries(
    [...byName].map(([name, values]) => [name, shapeValues(document, properties.get(name) ?? {}, values)]),
  );
}

function shapeValues(document: OpenApiDocument, schema: Schema, values: readonly unknown[]): unknown {
  const types = typesOf(document, schema);
  const [first] = values;
  if (values.length === 1 && (!types.has('array') || types.has('string'))) return readScalar(first, types);
  const items = types.has('array') ? typesOf(document, itemsOf(document, schema) ?? {}) : types;
  return values.map((value) => readScalar(value, items));
}

function readScalar(value: unknown, types: ReadonlySet<string>): unknown {
  if (typeof value !== 'string' || types.has('string')) return value;
  if (types.has('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  if ((types.has('integer') || types.has('number')) && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return value;
}
