import { asObject, type JsonObject, readBuilt, SpecDocument } from '@speech-api/spec/read';

/** The built specification, down-levelled to 3.1, which is what Prism reads. */
export const document: SpecDocument = new SpecDocument(readBuilt('openapi-3.1.json'));

/** A JSON schema of the specification, as much of it as is looked at here. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly 'x-binary'?: boolean;
}

/** One operation, its references resolved one level deep. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly bodies: Record<string, Schema>;
  /** The documented answers: status, then media type, then schema; an empty body has none. */
  readonly responses: Record<string, Record<string, Schema>>;
  readonly query: Record<string, Schema>;
}

/** Every operation over HTTP; the WebSocket's upgrade is not one that this client makes. */
export const operations: readonly Operation[] = document
  .operations()
  .filter(({ id }) => id !== 'openLiveSession')
  .map(({ id, method, path, requestBody, responses, parameters }) => ({
    operationId: id,
    method,
    path,
    bodies: schemasOf(requestBody),
    responses: Object.fromEntries([...responses].map(([status, answer]) => [status, schemasOf(answer)])),
    query: Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, schema }) => [String(name), asObject(schema)]),
    ),
  }));

function schemasOf(holder: JsonObject | undefined): Record<string, Schema> {
  const content = Object.entries(asObject(holder?.content));
  return Object.fromEntries(content.map(([type, media]) => [type, asObject(asObject(media).schema)]));
}

export function operationOf(operationId: string): Operation {
  const found = operations.find((operation) => operation.operationId === operationId);
  if (!found) throw new Error(`the specification has no operation ${operationId}`);
  return found;
}
