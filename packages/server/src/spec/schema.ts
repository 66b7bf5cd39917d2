import { type OpenApiDocument, resolveReference, type Schema } from './document.ts';

/** The properties a schema names, with those of the schemas it is composed of and of its alternatives. */
export function propertiesOf(document: OpenApiDocument, schema: Schema): Map<string, Schema> {
  const resolved = resolveReference(document, schema);
  const found = new Map<string, Schema>();
  for (const part of [...(resolved.allOf ?? []), ...(resolved.anyOf ?? []), ...(resolved.oneOf ?? [])]) {
    for (const [name, property] of propertiesOf(document, part)) found.set(name, property);
  }
  for (const [name, property] of Object.entries(resolved.properties ?? {})) found.set(name, property);
  return found;
}

/** The types a schema accepts, looking through references and alternatives. Empty when it says nothing. */
export function typesOf(document: OpenApiDocument, schema: Schema): Set<string> {
  const resolved = resolveReference(document, schema);
  const own = typeof resolved.type === 'string' ? [resolved.type] : (resolved.type ?? []);
  const parts = [...(resolved.allOf ?? []), ...(resolved.anyOf ?? []), ...(resolved.oneOf ?? [])];
  return new Set([...own, ...parts.flatMap((part) => [...typesOf(document, part)])]);
}

/** The schema of an array's items, looking through references and alternatives. */
export function itemsOf(document: OpenApiDocument, schema: Schema): Schema | undefined {
  const resolved = resolveReference(document, schema);
  if (resolved.items) return resolved.items;
  for (const part of [...(resolved.allOf ?? []), ...(resolved.anyOf ?? []), ...(resolved.oneOf ?? [])]) {
    const items = itemsOf(document, part);
    if (items) return items;
  }
  return undefined;
}

/** The properties a schema requires, with those of the schemas it is composed of. */
export function requiredOf(document: OpenApiDocument, schema: Schema): Set<string> {
  const resolved = resolveReference(document, schema);
  const parts = (resolved.allOf ?? []).flatMap((part) => [...requiredOf(document, part)]);
  return new Set([...(resolved.required ?? []), ...parts]);
}

/** The schema of the value at `path`, as far as it can be followed. */
export function schemaAt(
  document: OpenApiDocument,
  schema: Schema,
  path: readonly string[],
): Schema | undefined {
  let current: Schema | undefined = schema;
  for (const step of path) {
    if (current === undefined) return undefined;
    current =
      propertiesOf(document, current).get(step) ??
      (/^\d+$/.test(step) ? itemsOf(document, current) : undefined);
  }
  return current;
}
