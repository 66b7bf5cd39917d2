import { asObject, readAsyncApi, readBuilt, readOpenApi } from '@speech-api/spec/read';
import { type OperationId, operationTable } from '@speech-api/types';
import type { Schema } from '../test/contract/specification.ts';

const openapi = readOpenApi();
const asyncapi = readAsyncApi();

/** The schema behind a reference, or with the parts that `allOf` adds. */
export const resolved = (schema: Schema): Schema => openapi.flatten(schema) as Schema;

export const schemaOf = (name: string): Schema => resolved(openapi.schema(name) as Schema);

export const messageOf = (name: string): Schema => asyncapi.flatten(asyncapi.schema(name)) as Schema;

const responses = new Map(openapi.operations().map((operation) => [operation.id, operation.responses]));

/** Every operation, in the order of the document. */
export const operations = [...responses.keys()] as readonly OperationId[];

/** The schema of one answer of an operation, where that is JSON. */
export function answerOf(operation: OperationId, status: number): Schema | undefined {
  const content = asObject(responses.get(operation)?.get(String(status))?.content);
  return asObject(content['application/json']).schema as Schema | undefined;
}

/** The schema of the successful answer of an operation, where it is JSON. */
export const successOf = (operation: OperationId): Schema | undefined =>
  answerOf(operation, operationTable[operation].successStatus);

/** The ids of the rules about what a service answers. */
export const serviceRules: readonly string[] = Object.values(asObject(readBuilt('rules.json')))
  .flat()
  .map(asObject)
  .filter(({ kept_by: keeper }) => keeper === 'service')
  .map(({ id }) => String(id));
