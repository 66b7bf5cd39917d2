import { readFileSync } from 'node:fs';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json, JsonObject } from '../read.ts';
import { isObject, pointerNames, pointerPart } from '../read.ts';

/** A built document, as this package exports it. */
export function readDocument(file: 'openapi.json' | 'openapi-3.1.json'): JsonObject {
  return JSON.parse(readFileSync(new URL(`../dist/${file}`, import.meta.url), 'utf8'));
}

/** The value at a JSON pointer of a document; references on the way are followed. */
export function find(document: JsonObject, pointer: string): Json {
  let value: Json = document;
  for (const name of pointerNames(pointer)) {
    const holder: Json = follow(document, value);
    const member = Array.isArray(holder) ? holder[Number(name)] : isObject(holder) ? holder[name] : undefined;
    if (member === undefined) throw new Error(`${pointer} leads nowhere: there is no ${name}`);
    value = member;
  }
  return follow(document, value);
}

/** The target of a reference, or the value itself if it is none. */
export function follow(document: JsonObject, value: Json): Json {
  return isObject(value) && typeof value.$ref === 'string' ? find(document, value.$ref.slice(1)) : value;
}

/** Every object of a document with the JSON pointer to it, in reading order. References are not followed. */
export function* walk(value: Json, pointer = ''): Generator<[pointer: string, object: JsonObject]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* walk(item, `${pointer}/${index}`);
  } else if (isObject(value)) {
    yield [pointer, value];
    for (const [name, item] of Object.entries(value)) {
      yield* walk(item, pointer + pointerPart(name));
    }
  }
}

/** Compiles schemas of a document by JSON Schema 2020-12, named by their pointer. */
export function schemaCompiler(document: JsonObject): (pointer: string) => ValidateFunction {
  // Not strict: `x-...`, `contentEncoding` and `examples` are annotations that Ajv does not know.
  const ajv = new Ajv2020.default({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('binary', true);
  ajv.addSchema(document, 'document');
  return (pointer) => ajv.compile({ $ref: `document#${encodeURI(pointer)}` });
}
