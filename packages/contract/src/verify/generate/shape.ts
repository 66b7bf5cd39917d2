import type { OperationId } from '@speech-api/types';
import { isObject, type JsonObject, objectAt, openApi, resolve } from '../../specification/document.ts';
import { operations } from '../../specification/operations.ts';

/** The fields of a request, whatever schemas they are put together from. */
export interface Shape {
  readonly fields: readonly Field[];
  /** Fields beside these are refused. */
  readonly closed: boolean;
}

export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonObject;
}

/** The fields of a schema of the spec, those of its `allOf` included. */
export function shapeOf(schemaName: string): Shape {
  const document = openApi();
  const schema = resolve(document, objectAt(objectAt(document.components, 'schemas'), schemaName));
  const parts = [schema, ...partsOf(schema)];
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []));
  const fields = parts.flatMap((part) =>
    Object.entries(objectAt(part, 'properties')).map(([name, value]) => ({
      name,
      required: required.includes(name),
      schema: resolve(document, value),
    })),
  );
  return {
    fields,
    closed: parts.some((part) => part.additionalProperties === false || part.unevaluatedProperties === false),
  };
}

/** The query parameters of an operation, as fields. */
export function queryOf(id: OperationId): Shape {
  const fields = (operations().get(id)?.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema, required }) => ({
      name: String(name),
      required: required === true,
      schema: resolve(openApi(), schema),
    }));
  return { fields, closed: false };
}

function partsOf(schema: JsonObject): JsonObject[] {
  if (!Array.isArray(schema.allOf)) return [];
  return schema.allOf.flatMap((part) => {
    const resolved = resolve(openApi(), part);
    return [resolved, ...partsOf(resolved)];
  });
}

/** The types that a schema allows, those of its choices included. */
export function typesOf(schema: JsonObject): readonly string[] {
  const choices = choicesOf(schema);
  const own = [schema.type ?? []].flat().filter((type) => typeof type === 'string');
  return [...own, ...choices.flatMap(typesOf)];
}

/** The entries of `anyOf` and `allOf`. */
export function choicesOf(schema: JsonObject): readonly JsonObject[] {
  return [schema.anyOf, schema.allOf]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .filter(isObject)
    .map((choice) => resolve(openApi(), choice));
}
