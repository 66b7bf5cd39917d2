import type { Json, JsonObject } from '../read.ts';
import { isObject, pointerPart } from '../read.ts';

/** Members of an object schema that can be merged into another one without a change of meaning. */
const mergeable = ['type', 'title', 'description', 'properties', 'required'];

/**
 * Writes `allOf` with `unevaluatedProperties: false` as one object schema with `additionalProperties: false`.
 *
 * The two mean the same, but most tools made for OpenAPI 3.1 do not know `unevaluatedProperties`, and neither does the
 * draft of JSON Schema that AsyncAPI reads: a mock server then lets a misspelt field through, and a form reader does
 * not see the fields at all.
 *
 * @param document A bundled document, whose schemas are components.
 * @param problems Receives a sentence for every schema that cannot be written so.
 */
export function closeSchemas(document: JsonObject, problems: string[]): JsonObject {
  const components = object(document.components);
  const schemas = object(components.schemas);
  const closed = Object.entries(schemas).map(([name, schema]) => [
    name,
    close(schema, schemas, `/components/schemas${pointerPart(name)}`, problems),
  ]);
  if (closed.length === 0) return document;
  return { ...document, components: { ...components, schemas: Object.fromEntries(closed) } };
}

function close(value: Json, schemas: JsonObject, at: string, problems: string[]): Json {
  if (Array.isArray(value)) {
    return value.map((item, index) => close(item, schemas, at + pointerPart(index), problems));
  }
  if (!isObject(value)) return value;
  const inner = Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      close(item, schemas, at + pointerPart(name), problems),
    ]),
  );
  return inner.unevaluatedProperties === false && Array.isArray(inner.allOf)
    ? merge(inner, inner.allOf, schemas, at, problems)
    : inner;
}

function merge(
  schema: JsonObject,
  parts: readonly Json[],
  schemas: JsonObject,
  at: string,
  problems: string[],
): JsonObject {
  const { allOf: _, unevaluatedProperties: __, ...own } = schema;
  let properties: JsonObject = {};
  let required: readonly Json[] = [];
  for (const part of parts) {
    const resolved = resolve(part, schemas);
    const strange = Object.keys(resolved).filter(
      (name) => !mergeable.includes(name) && !name.startsWith('x-'),
    );
    if (strange.length > 0)
      problems.push(`#${at}: allOf holds ${strange.join(', ')}, which cannot be merged`);
    properties = { ...properties, ...object(resolved.properties) };
    required = [...required, ...list(resolved.required)];
  }
  required = [...new Set([...required, ...list(own.required)])];
  return {
    ...own,
    properties: { ...properties, ...object(own.properties) },
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    ...renameInMark(own['x-provenance']),
  };
}

/** A mark of provenance that is about the keyword follows it to its new name. */
function renameInMark(mark: Json | undefined): JsonObject {
  if (!isObject(mark)) return {};
  const of = list(mark.of).map((name) => (name === 'unevaluatedProperties' ? 'additionalProperties' : name));
  return { 'x-provenance': { ...mark, ...(of.length > 0 ? { of } : {}) } };
}

function resolve(part: Json, schemas: JsonObject): JsonObject {
  const reference = object(part).$ref;
  if (typeof reference !== 'string') return object(part);
  return object(schemas[reference.replace('#/components/schemas/', '')]);
}

function object(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
