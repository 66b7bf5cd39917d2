/** A JSON value as it is read from the built specification. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object with any keys. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Says whether a JSON value is an object, and not an array or null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The bundled OpenAPI document, read by pointer.
 * What is asked for and missing is an error that names the place: a constant must never be invented.
 */
export class SpecDocument {
  readonly root: JsonObject;

  constructor(root: JsonObject) {
    this.root = root;
  }

  /** The value at a JSON pointer such as `/components/schemas/AudioFormat/enum`. */
  at(pointer: string): Json {
    let value: Json = this.root;
    for (const part of pointer.split('/').slice(1)) {
      const next: Json | undefined = child(value, part.replaceAll('~1', '/').replaceAll('~0', '~'));
      if (next === undefined)
        throw new Error(`The specification has nothing at ${pointer} (looking for ${part}).`);
      value = next;
    }
    return value;
  }

  objectAt(pointer: string): JsonObject {
    const value = this.at(pointer);
    if (!isObject(value)) throw new Error(`The specification has no object at ${pointer}.`);
    return value;
  }

  arrayAt(pointer: string): readonly Json[] {
    const value = this.at(pointer);
    if (!Array.isArray(value)) throw new Error(`The specification has no array at ${pointer}.`);
    return value;
  }

  stringAt(pointer: string): string {
    const value = this.at(pointer);
    if (typeof value !== 'string') throw new Error(`The specification has no string at ${pointer}.`);
    return value;
  }

  /** Follows `$ref` until something else comes. */
  resolve(value: Json | undefined): JsonObject {
    if (!isObject(value)) throw new Error(`Expected an object, found ${JSON.stringify(value)}.`);
    return typeof value.$ref === 'string' ? this.resolve(this.at(value.$ref.slice(1))) : value;
  }

  /** One schema of the components. */
  schema(name: string): JsonObject {
    return this.objectAt(`/components/schemas/${name}`);
  }

  /** A schema with what it takes over through `$ref` and `allOf`; its own words win. */
  flatten(value: Json | undefined): JsonObject {
    const schema = this.resolve(value);
    let merged: JsonObject = {};
    for (const part of Array.isArray(schema.allOf) ? schema.allOf : [])
      merged = mergeSchemas(merged, this.flatten(part));
    const { allOf: _, ...own } = schema;
    return mergeSchemas(merged, own);
  }

  /** The properties of a schema, those of `allOf` included, each flattened. */
  properties(value: Json | undefined): Map<string, JsonObject> {
    const { properties = {} } = this.flatten(value);
    if (!isObject(properties)) throw new Error('`properties` is not an object.');
    return new Map(Object.entries(properties).map(([name, property]) => [name, this.flatten(property)]));
  }
}

function mergeSchemas(base: JsonObject, own: JsonObject): JsonObject {
  if (!isObject(base.properties)) return { ...base, ...own };
  return {
    ...base,
    ...own,
    properties: { ...base.properties, ...(isObject(own.properties) ? own.properties : {}) },
  };
}

function child(value: Json, key: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
