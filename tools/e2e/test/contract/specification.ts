import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Schema, Specification } from './arbitrary-of.ts';
import { resolve } from './arbitrary-of.ts';

/** The built specification, down-levelled to 3.1, which is what Prism reads. */
const text = readFileSync(fileURLToPath(import.meta.resolve('@speech-api/spec/openapi-3.1.json')), 'utf8');

export const specification: Specification = JSON.parse(text);

/** A response or a request body as it stands in the document. */
interface Content {
  readonly $ref?: string;
  readonly content?: Record<string, { schema?: Schema }>;
}

/** One operation, its references resolved one level deep. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** Schemas of the request body by media type. */
  readonly bodies: Record<string, Schema>;
  /** The documented answers: status, then media type, then schema; an empty body has none. */
  readonly responses: Record<string, Record<string, Schema>>;
  readonly query: Record<string, Schema>;
}

interface RawOperation {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly responses: Record<string, Content>;
  readonly parameters?: readonly { $ref?: string; name: string; in: string; schema: Schema }[];
}

/** Every operation over HTTP; the WebSocket's upgrade is not one that this client makes. */
export const operations: readonly Operation[] = Object.entries(specification.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods)
      .filter(([, raw]) => isOperation(raw) && raw.operationId !== 'openLiveSession')
      .map(([method, raw]) => read(method, path, raw as RawOperation)),
);

function isOperation(value: unknown): value is RawOperation {
  return typeof value === 'object' && value !== null && 'operationId' in value;
}

function read(method: string, path: string, raw: RawOperation): Operation {
  const responses = Object.entries(raw.responses).map(([status, response]) => [status, schemasOf(response)]);
  const parameters = (raw.parameters ?? []).map((parameter) =>
    parameter.$ref === undefined ? parameter : resolve<typeof parameter>(parameter.$ref, specification),
  );
  return {
    operationId: raw.operationId,
    method,
    path,
    bodies: raw.requestBody ? schemasOf(raw.requestBody) : {},
    responses: Object.fromEntries(responses),
    query: Object.fromEntries(
      parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema]),
    ),
  };
}

function schemasOf(given: Content): Record<string, Schema> {
  const { content = {} } = given.$ref === undefined ? given : resolve<Content>(given.$ref, specification);
  return Object.fromEntries(Object.entries(content).map(([type, { schema = {} }]) => [type, schema]));
}

/** The operation of this name. */
export function operationOf(operationId: string): Operation {
  const found = operations.find((operation) => operation.operationId === operationId);
  if (!found) throw new Error(`the specification has no operation ${operationId}`);
  return found;
}
