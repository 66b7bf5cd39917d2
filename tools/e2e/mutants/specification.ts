import { asObject, readAsyncApi, readBuilt, readOpenApi } from '@speech-api/spec/read';
import type { OperationId } from '@speech-api/types';

/** A JSON schema of the specification, as much of it as mutants are made from. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly format?: string;
  readonly examples?: readonly unknown[];
}

const openapi = readOpenApi();
const asyncapi = readAsyncApi();

/** The schema behind a reference, or with the parts that `allOf` adds. */
export const resolved = (schema: Schema): Schema => openapi.flatten(schema) as Schema;

/** A schema of an answer by its name. */
export const schemaOf = (name: string): Schema => resolved(openapi.schema(name) as Schema);

/** A schema of a live message by its name. */
export const messageOf = (name: string): Schema => asyncapi.flatten(asyncapi.schema(name)) as Schema;

/** Every operation: its documented status of success, and the schemas of its JSON answers by status. */
export const operations = openapi.operations().map(({ id, method, path, responses }) => {
  const schemas = [...responses].flatMap(([status, { content }]) => {
    const { schema } = asObject(asObject(content)['application/json']);
    return schema === undefined ? [] : [[status, schema as Schema] as const];
  });
  return {
    operationId: id as OperationId,
    method: method.toUpperCase(),
    path,
    success: [...responses.keys()].map(Number).find((status) => status < 300) ?? 200,
    answers: Object.fromEntries(schemas) as Readonly<Record<string, Schema>>,
  };
});

/** The operation of this name. */
export function operationOf(operationId: OperationId) {
  const found = operations.find((operation) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`the specification has no operation ${operationId}`);
  return found;
}

/** The ids of the rules about what a service answers. */
export const serviceRules: readonly string[] = Object.values(asObject(readBuilt('rules.json')))
  .flat()
  .map(asObject)
  .filter(({ kept_by: keeper }) => keeper === 'service')
  .map(({ id }) => String(id));
