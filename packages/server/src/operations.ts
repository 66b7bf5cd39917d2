import { asArray, asObject, readOpenApi, type SpecDocument, type SpecOperation } from '@speech-api/spec/read';
import { headerNames, mediaTypes, type OperationId } from '@speech-api/types';
import { refusalEntry } from './answer.ts';
import { itemsOf, propertiesOf, requiredOf, type Schema } from './schema.ts';
import { listed, show, suggest } from './words.ts';

/** One operation of the spec, as far as a server needs it. */
export interface Operation {
  readonly id: OperationId;
  /** The method in upper case. */
  readonly method: string;
  /** The path template, such as `/model/{id}`. */
  readonly path: string;
  /** The parameters of each place as an object schema; headers by their lower-case names. */
  readonly parameters: Readonly<Record<ParameterPlace, Schema>>;
  /** Body schemas by media type; empty if the operation has no body. */
  readonly bodies: Readonly<Record<string, Schema>>;
  readonly bodyRequired: boolean;
  /** True if validation entries name the part of the request. */
  readonly issuesNamePart: boolean;
  /** The documented list of issues about this operation; undefined if there is none. */
  readonly exampleIssues: unknown;
}

const places = ['path', 'query', 'header'] as const;

export type ParameterPlace = (typeof places)[number];

export function readOperations(document: SpecDocument = readOpenApi()): readonly Operation[] {
  return document.operations().map((operation) => ({
    id: operation.id as OperationId,
    method: operation.method.toUpperCase(),
    path: operation.path,
    parameters: Object.fromEntries(
      places.map((place) => [place, parametersSchema(operation, place)]),
    ) as Operation['parameters'],
    bodies: schemasOf(operation.requestBody),
    bodyRequired: operation.requestBody?.required === true,
    issuesNamePart: issuesRequire(document, operation, 'in'),
    exampleIssues: readExampleIssues(document, operation),
  }));
}

function schemasOf(body: unknown): Readonly<Record<string, Schema>> {
  // The shape is that of a built document, which the tests of the specification check.
  const { content = {} } = (body ?? {}) as {
    readonly content?: Readonly<Record<string, { schema?: Schema }>>;
  };
  return Object.fromEntries(Object.entries(content).map(([type, { schema = {} }]) => [type, schema]));
}

function parametersSchema({ parameters }: SpecOperation, place: ParameterPlace): Schema {
  const declared = parameters
    .filter((parameter) => parameter.in === place)
    .map((parameter) => ({
      ...parameter,
      name: place === 'header' ? String(parameter.name).toLowerCase() : String(parameter.name),
    }))
    // An invalid traceparent only starts a new trace, so it is never refused.
    .filter(({ name }) => name !== headerNames.traceparent) as readonly Parameter[];
  return {
    type: 'object',
    properties: Object.fromEntries(declared.map(({ name, schema = {} }) => [name, schema])),
    required: declared.filter(({ required }) => required).map(({ name }) => name),
    // Unknown headers come from proxies and browsers, but unknown query fields come from the caller.
    ...(place === 'query' ? { additionalProperties: false } : {}),
  };
}

interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

function issuesRequire(document: SpecDocument, { responses }: SpecOperation, field: string): boolean {
  const [list] = Object.values(schemasOf(responses.get(String(refusalEntry('schema').status))));
  const issue = list && itemsOf(document, list);
  return issue ? requiredOf(document, issue).has(field) : false;
}

/** Operations share their examples of issues, so it is the first that names a parameter or a field of this one. */
function readExampleIssues(
  document: SpecDocument,
  { responses, parameters, requestBody }: SpecOperation,
): unknown {
  const { content } = asObject(responses.get(String(refusalEntry('schema').status)));
  const { examples } = asObject(asObject(content)[mediaTypes.json]);
  const fields = Object.values(schemasOf(requestBody)).map((schema) => propertiesOf(document, schema));
  const names = [...parameters.map(({ name }) => name), ...fields.flatMap((field) => [...field.keys()])];
  const lists = Object.values(asObject(examples)).map((example) => asArray(document.resolve(example).value));
  return lists.find((list) => list.every((issue) => names.includes(asArray(asObject(issue).loc)[1] ?? '')));
}

export type Route =
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      readonly pathParameters: Record<string, string>;
    }
  | { readonly kind: 'unknown-path' }
  | { readonly kind: 'unknown-method'; readonly allow: readonly string[] };

export type Router = (method: string, path: string) => Route;

interface CompiledPath {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly operations: Map<string, Operation>;
}

/** A path parameter is one segment and is percent-decoded; a segment that cannot be decoded matches nothing. */
export function createRouter(operations: readonly Operation[] = readOperations()): Router {
  const paths = new Map<string, CompiledPath>();
  for (const operation of operations) {
    const compiled = paths.get(operation.path) ?? compilePath(operation.path);
    compiled.operations.set(operation.method, operation);
    paths.set(operation.path, compiled);
  }

  return (method, path) => {
    for (const candidate of paths.values()) {
      const match = candidate.pattern.exec(path);
      if (!match) continue;
      const pathParameters = readParameters(candidate.names, match.slice(1));
      if (pathParameters === undefined) continue;
      const operation = candidate.operations.get(method);
      return operation
        ? { kind: 'operation', operation, pathParameters }
        : { kind: 'unknown-method', allow: [...candidate.operations.keys()] };
    }
    return { kind: 'unknown-path' };
  };
}

function compilePath(path: string): CompiledPath {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  const source = path
    .split(/\{[^}]+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^/]+)');
  return { pattern: new RegExp(`^${source}$`), names, operations: new Map() };
}

function readParameters(
  names: readonly string[],
  values: readonly string[],
): Record<string, string> | undefined {
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]));
  } catch {
    return undefined;
  }
}

/** Describes an unknown path, with the probably intended one and all existing ones. */
export function describeUnknownPath(path: string, operations: readonly Operation[]): string {
  const names = [...new Set(operations.map((operation) => operation.path))];
  const meant = suggest(path, names);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `There is nothing at ${show(path)}.${hint} There is ${listed(names)}.`;
}
