import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Data of the spec, to be read with care. */
export type JsonObject = { readonly [name: string]: unknown };

const require = createRequire(import.meta.url);
const loaded = new Map<string, JsonObject>();

/** The bundled OpenAPI document. */
export function openApi(): JsonObject {
  return load('@speech-api/spec/openapi.json');
}

/** The bundled AsyncAPI document of live sessions. */
export function asyncApi(): JsonObject {
  return load('@speech-api/spec/asyncapi.json');
}

/** The rules beside the documents. */
export function ruleData(): JsonObject {
  return load('@speech-api/spec/rules.json');
}

/** An entry of the register of guesses. */
interface RegisterEntry {
  readonly id: string;
  readonly choice: string;
}

/** Every blank, contradiction and addition, in the order of the register. Its schema is tested in the spec. */
export function register(): readonly RegisterEntry[] {
  return load('@speech-api/spec/unknowns.json') as unknown as readonly RegisterEntry[];
}

/** The version of the package `@speech-api/spec`. */
export function specificationVersion(): string {
  return String(load('@speech-api/spec/package.json').version);
}

function load(name: string): JsonObject {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const data = JSON.parse(readFileSync(require.resolve(name), 'utf8')) as JsonObject;
  loaded.set(name, data);
  return data;
}

/** A member that is an object; an empty object if there is none. */
export function objectAt(value: unknown, name: string): JsonObject {
  return asObject(asObject(value)[name]);
}

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Follows `$ref` until it reaches something else.
 *
 * @throws Error when a reference points nowhere: the spec is broken, and nothing can be judged by it
 */
export function resolve(document: JsonObject, value: unknown): JsonObject {
  let current = asObject(value);
  for (let hops = 0; hops < 20; hops += 1) {
    if (typeof current.$ref !== 'string') return current;
    current = atPointer(document, current.$ref);
  }
  throw new Error(`References of the spec run in a circle at ${JSON.stringify(value)}.`);
}

function atPointer(document: JsonObject, reference: string): JsonObject {
  let current: unknown = document;
  for (const step of reference.replace(/^#\//, '').split('/')) {
    current = asObject(current)[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  if (!isObject(current)) throw new Error(`The spec has nothing at ${reference}.`);
  return current;
}
