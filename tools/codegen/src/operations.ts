import { isObject, type JsonObject, type SpecDocument } from './document.ts';

/** One operation of the document, with its references resolved where the generator looks. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly pathItem: JsonObject;
  readonly operation: JsonObject;
  /** Parameters of the path item and of the operation. */
  readonly parameters: readonly JsonObject[];
  readonly requestBody: JsonObject | undefined;
  /** By status, in the order of the document. */
  readonly responses: ReadonlyMap<string, JsonObject>;
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']);

/** Every operation, in the order of the document. */
export function listOperations(document: SpecDocument): Operation[] {
  return Object.entries(document.objectAt('/paths')).flatMap(([path, value]) => {
    const pathItem = document.resolve(value);
    return Object.entries(pathItem).flatMap(([method, operation]) =>
      methods.has(method) && isObject(operation)
        ? [readOperation(document, path, method, pathItem, operation)]
        : [],
    );
  });
}

/** Media types of a request or response body. */
export function mediaTypesOf(body: JsonObject | undefined): string[] {
  return isObject(body?.content) ? Object.keys(body.content) : [];
}

function readOperation(
  document: SpecDocument,
  path: string,
  method: string,
  pathItem: JsonObject,
  operation: JsonObject,
): Operation {
  const { operationId, requestBody, responses } = operation;
  if (typeof operationId !== 'string') throw new Error(`${method} ${path} has no operationId.`);
  if (!isObject(responses)) throw new Error(`${operationId} has no responses.`);
  const parameters = [pathItem.parameters, operation.parameters].flatMap((list) =>
    Array.isArray(list) ? list.map((parameter) => document.resolve(parameter)) : [],
  );
  return {
    id: operationId,
    method,
    path,
    pathItem,
    operation,
    parameters,
    requestBody: requestBody === undefined ? undefined : document.resolve(requestBody),
    responses: new Map(
      Object.entries(responses).map(([status, response]) => [status, document.resolve(response)]),
    ),
  };
}
