import { readOpenApi, type SpecDocument, type SpecOperation } from '@speech-api/spec/read';
import { headerNames, type OperationId } from '@speech-api/types';
import { refusalEntry } from '../refuse/refusal.ts';
import { itemsOf, requiredOf, type Schema } from './schema.ts';

/** One operation of the spec, as far as a server needs it. */
export interface Operation {
  readonly id: OperationId;
  /** Upper case, as in a request. */
  readonly method: string;
  /** The template, such as `/model/{id}`. */
  readonly path: string;
  /** The parameters of each place as an object schema; headers by their lower-case names. */
  readonly parameters: Readonly<Record<ParameterPlace, Schema>>;
  /** The schema of the body by media type; empty when the operation takes none. */
  readonly bodies: Readonly<Record<string, Schema>>;
  readonly bodyRequired: boolean;
  /** Entries of this operation's validation list say which part of the request they are in. */
  readonly issuesNamePart: boolean;
}

const places = ['path', 'query', 'header'] as const;

/** Location of a parameter in a request. */
export type ParameterPlace = (typeof places)[number];

/** Every operation of the document, in its order. */
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
  const given = parameters
    .filter((each) => each.in === place)
    .map((each) => ({
      ...each,
      name: place === 'header' ? String(each.name).toLowerCase() : String(each.name),
    }))
    // An invalid traceparent starts a new trace and changes nothing else, so it is never refused.
    .filter(({ name }) => name !== headerNames.traceparent) as readonly Parameter[];
  return {
    type: 'object',
    properties: Object.fromEntries(given.map(({ name, schema = {} }) => [name, schema])),
    required: given.filter(({ required }) => required).map(({ name }) => name),
    // Headers come from everywhere (proxies, browsers); those of a query were written by the caller.
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
