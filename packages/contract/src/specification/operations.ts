import { type OperationId, operationTable } from '@speech-api/types';
import { asObject, type JsonObject, objectAt, openApi, resolve } from './document.ts';

/** One operation, as far as its answers are judged. */
export interface Operation {
  readonly id: OperationId;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly JsonObject[];
  readonly requestMediaTypes: readonly string[];
  /** By media type: the schema of a body that the document describes. */
  readonly requestSchemas: ReadonlyMap<string, JsonObject>;
  /** By status. */
  readonly responses: ReadonlyMap<number, DocumentedResponse>;
  /** The statuses below 400. */
  readonly successStatuses: readonly number[];
  /** Those of them that the interface states; the others are documented elsewhere. */
  readonly statedSuccesses: readonly number[];
  /** Issues of a validation error say which part of the request they are in. */
  readonly issuesNamePart: boolean;
}

export interface DocumentedResponse {
  /** By media type: the schema of a body, or of the events of a stream. */
  readonly content: ReadonlyMap<string, JsonObject>;
  /** By lower-case name: the schema. */
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
  const found = [...operations().values()]
    .filter((operation) => operation.method === method.toUpperCase())
    .map((operation) => ({ operation, begins: path.search(patternOf(operation.path)) }))
    .filter(({ begins }) => begins >= 0)
    // The least prefix wins: `/model/model` is one voice model, not the list below a base address.
    .sort((one, other) => one.begins - other.begins);
  return found[0]?.operation;
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
    parameters: (Array.isArray(value.parameters) ? value.parameters : []).map((one) =>
      resolve(openApi(), one),
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
