import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type OperationId, operationTable } from '@speech-api/types';

/** JSON of the spec, whose fields may be anything. */
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

/** The rules that accompany the documents. */
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
  const cached = loaded.get(name);
  if (cached !== undefined) return cached;
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

/** The parts of an operation that are needed to judge its answers. */
export interface Operation {
  readonly id: OperationId;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly JsonObject[];
  readonly requestMediaTypes: readonly string[];
  /** Schemas of documented bodies by media type. */
  readonly requestSchemas: ReadonlyMap<string, JsonObject>;
  /** Responses by status. */
  readonly responses: ReadonlyMap<number, DocumentedResponse>;
  /** Documented statuses below 400. */
  readonly successStatuses: readonly number[];
  /** The success statuses that the interface states; others are documented elsewhere. */
  readonly statedSuccesses: readonly number[];
  /** The part of the request that an issue names. */
  readonly issuesNamePart: boolean;
}

export interface DocumentedResponse {
  /** Schemas of a body, or of the events of a stream, by media type. */
  readonly content: ReadonlyMap<string, JsonObject>;
  /** Header schemas by lower-case name. */
  readonly headers: ReadonlyMap<string, JsonObject>;
}

let all: ReadonlyMap<OperationId, Operation> | undefined;

/** Every operation of the spec, in its order. */
export function operations(): ReadonlyMap<OperationId, Operation> {
  all ??= new Map(operationIds.map((id) => [id, readOperation(id)]));
  return all;
}

const operationIds = Object.keys(operationTable) as OperationId[];

/** The operation a request is for; the path may have a prefix, since a base address may have a path. */
export function findOperation(method: string, url: string): Operation | undefined {
  const path = pathOf(url);
  if (path === undefined) return undefined;
  const candidates = [...operations().values()]
    .filter((operation) => operation.method === method.toUpperCase())
    .map((operation) => ({ operation, begins: path.search(patternOf(operation.path)) }))
    .filter(({ begins }) => begins >= 0)
    // The shortest prefix wins: `/model/model` is one voice model, not the list below a base address.
    .sort((first, second) => first.begins - second.begins);
  return candidates[0]?.operation;
}

/** The parts of a path that match its parameters, by name. */
export function pathValues(operation: Operation, url: string): Readonly<Record<string, string>> {
  const match = patternOf(operation.path).exec(pathOf(url) ?? '');
  return Object.fromEntries(
    Object.entries(match?.groups ?? {}).map(([name, value]) => [name, decode(value)]),
  );
}

function pathOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).pathname : undefined;
}

function patternOf(template: string): RegExp {
  const pattern = template
    .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(/\{(\w+)\}/g, (_all, name: string) => `(?<${name}>[^/]+)`);
  return new RegExp(`${pattern}/?$`);
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function readOperation(id: OperationId): Operation {
  const { method, path, requestMediaTypes } = operationTable[id];
  const pathItem = resolve(openApi(), objectAt(openApi(), 'paths')[path]);
  const value = objectAt(pathItem, method.toLowerCase());
  const documented = Object.entries(objectAt(value, 'responses')).map(
    ([status, reference]) => [Number(status), resolve(openApi(), reference)] as const,
  );
  const successes = documented.filter(([status]) => status < 400);
  return {
    id,
    method,
    path,
    parameters: (Array.isArray(value.parameters) ? value.parameters : []).map((parameter) =>
      resolve(openApi(), parameter),
    ),
    requestMediaTypes,
    requestSchemas: readContent(resolve(openApi(), value.requestBody)),
    responses: new Map(documented.map(([status, response]) => [status, readResponse(response)])),
    successStatuses: successes.map(([status]) => status),
    // A mark on a whole response says that the interface does not show it.
    statedSuccesses: successes.flatMap(([status, response]) => {
      const mark = response['x-provenance'];
      return mark === undefined || Array.isArray(asObject(mark).of) ? [status] : [];
    }),
    issuesNamePart: JSON.stringify(value).includes('ModelValidation'),
  };
}

function readContent(holder: JsonObject): ReadonlyMap<string, JsonObject> {
  const content = Object.entries(objectAt(holder, 'content')).map(([mediaType, value]) => {
    const { schema, itemSchema } = asObject(value);
    return [mediaType, asObject(schema ?? itemSchema)] as const;
  });
  return new Map(content);
}

function readResponse(response: JsonObject): DocumentedResponse {
  const headers = Object.entries(objectAt(response, 'headers')).map(
    ([name, value]) => [name.toLowerCase(), objectAt(resolve(openApi(), value), 'schema')] as const,
  );
  return { content: readContent(response), headers: new Map(headers) };
}
