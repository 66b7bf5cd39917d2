import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OperationId } from '@speech-api/types';

/** A JSON schema of the specification, as much of it as mutants are made from. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly examples?: readonly unknown[];
  readonly 'x-binary'?: boolean;
}

interface Content {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface RawOperation {
  readonly operationId: OperationId;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

function load<Value>(name: string): Value {
  return JSON.parse(readFileSync(fileURLToPath(import.meta.resolve(`@speech-api/spec/${name}`)), 'utf8'));
}

const openapi = load<Document>('openapi-3.1.json');
const asyncapi = load<{ readonly components: { readonly schemas: Readonly<Record<string, Schema>> } }>(
  'asyncapi.json',
);

/** An operation as mutants are made from it. */
export interface Operation {
  readonly operationId: OperationId;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  /** The documented status of success. */
  readonly success: number;
  /** Schemas of JSON answers by status. */
  readonly answers: Readonly<Record<string, Schema>>;
  /** Media types of its request bodies. */
  readonly takes: readonly string[];
}

/** Every operation, in the order of the document. */
export const operations: readonly Operation[] = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, value]) =>
    isOperation(value) ? [read(method.toUpperCase(), path, value)] : [],
  ),
);

function isOperation(value: unknown): value is RawOperation {
  return typeof value === 'object' && value !== null && 'operationId' in value;
}

function read(method: string, path: string, raw: RawOperation): Operation {
  const answers = Object.entries(raw.responses).flatMap(([status, response]) => {
    const schema = resolveContent(response).content?.['application/json']?.schema;
    return schema === undefined ? [] : [[status, schema]];
  });
  const success = Object.keys(raw.responses)
    .map(Number)
    .find((status) => status < 300);
  return {
    operationId: raw.operationId,
    method,
    path,
    success: success ?? 200,
    answers: Object.fromEntries(answers),
    takes: Object.keys(resolveContent(raw.requestBody ?? {}).content ?? {}),
  };
}

function resolveContent(content: Content): Content {
  return content.$ref === undefined ? content : (at(openapi, content.$ref) as Content);
}

/** The operation of this name. */
export function operationOf(operationId: OperationId): Operation {
  const found = operations.find((operation) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`the specification has no operation ${operationId}`);
  return found;
}

/** A schema by its name; that of a live message, too. */
export function schemaOf(name: string): Schema {
  const found = openapi.components.schemas[name] ?? asyncapi.components.schemas[name];
  if (found === undefined) throw new Error(`the specification has no schema ${name}`);
  return found;
}

/** The schema behind a reference, or behind the one part that `allOf` wraps. */
export function resolved(schema: Schema): Schema {
  if (schema.$ref !== undefined) return resolved(schemaOf(schema.$ref.split('/').at(-1) ?? ''));
  const { allOf, ...rest } = schema;
  if (allOf === undefined) return schema;
  const parts = allOf.map(resolved);
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}), rest.properties);
  const required = [...parts.flatMap((part) => part.required ?? []), ...(rest.required ?? [])];
  return { ...Object.assign({}, ...parts), ...rest, properties, required };
}

function at(document: unknown, reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (value, key) => (value as Record<string, unknown>)[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
}

/** The ids of the rules that the judge goes by. */
export const ruleIds: ReadonlySet<string> = new Set(
  Object.values(load<Record<string, unknown>>('rules.json'))
    .filter(Array.isArray)
    .flat()
    .filter((entry): entry is { id: string } => typeof entry === 'object' && entry !== null && 'id' in entry)
    .map(({ id }) => id),
);
