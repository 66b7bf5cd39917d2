import { readFileSync } from 'node:fs';

// The one reader of what this package builds: the generator, the site, the gate and the servers use it.
// The judge of packages/contract reads by itself, so that a mistake here cannot hide from it.

/** A value of a JSON document. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object of a JSON document; a member may be absent. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** True for an object that is not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one if it is something else. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as an array; an empty one if it is something else. */
export function asArray(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text; empty if it is something else. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** One part of a JSON pointer, escaped, with the slash in front. */
export function pointerPart(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The names that a JSON pointer or a local reference such as `#/components/schemas/Prosody` consists of. */
export function pointerNames(pointer: string): string[] {
  return pointer
    .replace(/^#/, '')
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a JSON pointer, or undefined if the document has none. */
export function valueAt(root: unknown, pointer: string): Json | undefined {
  let value: unknown = root;
  for (const name of pointerNames(pointer)) {
    if (Array.isArray(value)) value = value[Number(name)];
    else value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value as Json | undefined;
}

const parsed = new Map<string, Json>();

/**
 * The value of a built file such as `rules.json`, parsed once per process.
 *
 * @param file Name of the file as others import it, without `@speech-api/spec/`.
 * @throws Error if the package is not built or has no such file.
 */
export function readBuilt(file: string): Json {
  const known = parsed.get(file);
  if (known !== undefined) return known;
  const value: Json = JSON.parse(readBuiltText(file));
  parsed.set(file, value);
  return value;
}

/**
 * The text of a built file.
 *
 * @throws Error if the package is not built or has no such file.
 */
export function readBuiltText(file: string): string {
  return readFileSync(new URL(import.meta.resolve(`@speech-api/spec/${file}`)), 'utf8');
}

/** The built OpenAPI document. */
export function readOpenApi(): SpecDocument {
  return new SpecDocument(readBuilt('openapi.json'));
}

/** The built AsyncAPI document of live sessions. */
export function readAsyncApi(): SpecDocument {
  return new SpecDocument(readBuilt('asyncapi.json'));
}

/** One operation of the document, with the references of its parts followed. */
export interface SpecOperation {
  readonly id: string;
  /** In lower case, as in the document. */
  readonly method: string;
  /** The template, such as `/model/{id}`. */
  readonly path: string;
  readonly pathItem: JsonObject;
  readonly operation: JsonObject;
  /** Those of the path item, then those of the operation, which win. */
  readonly parameters: readonly JsonObject[];
  readonly requestBody: JsonObject | undefined;
  /** By status, in the order of the document. */
  readonly responses: ReadonlyMap<string, JsonObject>;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/**
 * A built document, read by JSON pointer.
 * A pointer or a reference that leads nowhere is an error that names it: nobody may invent what is missing.
 */
export class SpecDocument {
  readonly root: JsonObject;

  constructor(root: unknown) {
    if (!isObject(root)) throw new Error('A document of the specification must be an object.');
    this.root = root;
  }

  /** The value at a JSON pointer such as `/components/schemas/AudioFormat/enum`. */
  at(pointer: string): Json {
    const value = valueAt(this.root, pointer);
    if (value === undefined) throw new Error(`The specification has nothing at ${pointer}.`);
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

  numberAt(pointer: string): number {
    const value = this.at(pointer);
    if (typeof value !== 'number') throw new Error(`The specification has no number at ${pointer}.`);
    return value;
  }

  /** One schema of the components. */
  schema(name: string): JsonObject {
    return this.objectAt(`/components/schemas/${name}`);
  }

  /** The object that a chain of references ends at; an empty one if there is no object. */
  resolve(node: unknown): JsonObject {
    let object = asObject(node);
    for (let hops = 0; typeof object.$ref === 'string'; hops += 1) {
      if (hops > 20) throw new Error(`The reference ${object.$ref} leads to itself.`);
      object = asObject(this.at(object.$ref));
    }
    return object;
  }

  /** The name of the component that a schema is, or extends without adding to it: `VoiceModel`. */
  nameOf(node: Json | undefined): string | undefined {
    const { $ref, allOf } = asObject(node);
    if (typeof $ref === 'string') return $ref.split('/').at(-1);
    const [only, ...others] = asArray(allOf);
    return only !== undefined && others.length === 0 ? this.nameOf(only) : undefined;
  }

  /**
   * A schema with references followed and `allOf` folded in. The schema's own keywords win over those it inherits;
   * provenance marks of both are kept.
   */
  flatten(node: unknown): JsonObject {
    const { $ref, allOf, ...own } = asObject(node);
    const parts: JsonObject[] = [];
    if (typeof $ref === 'string') parts.push(this.flatten(this.at($ref)));
    for (const part of asArray(allOf)) parts.push(this.flatten(part));
    return [...parts, own].reduce(merge, {});
  }

  /** The properties of a schema, those of `allOf` included, each flattened. */
  properties(node: unknown): Map<string, JsonObject> {
    const properties = Object.entries(asObject(this.flatten(node).properties));
    return new Map(properties.map(([name, property]) => [name, this.flatten(property)]));
  }

  /** Every operation, in the order of the document. */
  operations(): SpecOperation[] {
    return Object.entries(asObject(this.root.paths)).flatMap(([path, node]) => {
      const pathItem = this.resolve(node);
      return Object.entries(pathItem).flatMap(([method, operation]) =>
        methods.includes(method) && isObject(operation)
          ? [this.#operation(path, method, pathItem, operation)]
          : [],
      );
    });
  }

  #operation(path: string, method: string, pathItem: JsonObject, operation: JsonObject): SpecOperation {
    const { operationId: id, requestBody, responses } = operation;
    if (typeof id !== 'string') throw new Error(`${method} ${path} has no operationId.`);
    if (!isObject(responses)) throw new Error(`${id} has no responses.`);
    const parameters = new Map(
      [...asArray(pathItem.parameters), ...asArray(operation.parameters)]
        .map((node) => this.resolve(node))
        .map((parameter) => [`${parameter.in}:${parameter.name}`, parameter]),
    );
    return {
      id,
      method,
      path,
      pathItem,
      operation,
      parameters: [...parameters.values()],
      requestBody: requestBody === undefined ? undefined : this.resolve(requestBody),
      responses: new Map(
        Object.entries(responses).map(([status, response]) => [status, this.resolve(response)]),
      ),
    };
  }
}

/** The media types of a request or response body. */
export function mediaTypesOf(body: JsonObject | undefined): string[] {
  return Object.keys(asObject(body?.content));
}

function merge(left: JsonObject, right: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...left, ...right };
  for (const key of ['properties', 'x-limits']) {
    const [inherited, own] = [left[key], right[key]];
    if (isObject(inherited) && isObject(own)) merged[key] = { ...inherited, ...own };
  }
  for (const key of ['required', 'x-provenance']) {
    const both = [left[key], right[key]].flat().filter((entry) => entry !== undefined && entry !== null);
    if (both.length > 0) merged[key] = both as Json[];
  }
  return merged;
}

/** Which schemas a client sends and which it receives; one can be in both. */
export interface Reach {
  readonly sent: ReadonlySet<string>;
  readonly received: ReadonlySet<string>;
}

const schemaPrefix = '#/components/schemas/';

/** Follows the references from every request and every response to the schemas behind them. */
export function reachOfSchemas(document: SpecDocument): Reach {
  const sent = new Set<string>();
  const received = new Set<string>();
  for (const { parameters, requestBody, responses } of document.operations()) {
    for (const parameter of parameters) collect(document, parameter, sent);
    if (requestBody) collect(document, requestBody, sent);
    for (const response of responses.values()) collect(document, response, received);
  }
  return { sent, received };
}

/** Names of the schemas that are received and never sent: there the service may say more than we know. */
export function receivedOnly({ sent, received }: Reach): string[] {
  return [...received].filter((name) => !sent.has(name)).sort();
}

function collect(document: SpecDocument, value: Json, found: Set<string>): void {
  if (Array.isArray(value)) {
    for (const entry of value) collect(document, entry, found);
    return;
  }
  if (!isObject(value)) return;
  if (typeof value.$ref === 'string') {
    const name = value.$ref.startsWith(schemaPrefix) ? value.$ref.slice(schemaPrefix.length) : undefined;
    if (name !== undefined) {
      if (found.has(name)) return;
      found.add(name);
    }
    collect(document, document.at(value.$ref), found);
    return;
  }
  for (const [key, entry] of Object.entries(value)) {
    // An example may hold anything, a `$ref` of its own included.
    if (key !== 'example' && key !== 'examples') collect(document, entry, found);
  }
}
