import type { OperationId } from '@speech-api/types';
import { refusalEntry } from '../refuse/refusal.ts';
import {
  type DocumentOperation,
  loadDocument,
  type OpenApiDocument,
  type Parameter,
  resolveReference,
  type Schema,
} from './document.ts';
import { itemsOf, requiredOf } from './schema.ts';

/** One operation of the spec, with its references resolved one level deep. */
export interface Operation {
  readonly id: OperationId;
  /** Upper case, as in a request. */
  readonly method: string;
  /** The template, such as `/model/{id}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The schema of the body by media type; empty when the operation takes none. */
  readonly bodies: Readonly<Record<string, Schema>>;
  readonly bodyRequired: boolean;
  /** Entries of this operation's validation list say which part of the request they are in (section 7). */
  readonly issuesNamePart: boolean;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** Every operation of the document, in its order. */
export function readOperations(document: OpenApiDocument = loadDocument()): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, reference]) => {
    const item = resolveReference(document, reference);
    const shared = (item.parameters ?? []) as readonly Parameter[];
    return methods
      .filter((method) => item[method] !== undefined)
      .map((method) => readOperation(document, path, method, item[method] as DocumentOperation, shared));
  });
}

function readOperation(
  document: OpenApiDocument,
  path: string,
  method: string,
  operation: DocumentOperation,
  shared: readonly Parameter[],
): Operation {
  const body = operation.requestBody && resolveReference(document, operation.requestBody);
  const parameters = new Map(
    [...shared, ...(operation.parameters ?? [])]
      .map((parameter) => resolveReference(document, parameter))
      .map((parameter) => [`${parameter.in}:${parameter.name}`, parameter]),
  );
  return {
    id: operation.operationId as OperationId,
    method: method.toUpperCase(),
    path,
    parameters: [...parameters.values()],
    bodies: Object.fromEntries(
      Object.entries(body?.content ?? {}).map(([mediaType, content]) => [mediaType, content.schema ?? {}]),
    ),
    bodyRequired: body?.required ?? false,
    issuesNamePart: issuesRequire(document, operation, 'in'),
  };
}

function issuesRequire(document: OpenApiDocument, operation: DocumentOperation, field: string): boolean {
  const response = operation.responses?.[refusalEntry('schema').status];
  const content = response && resolveReference(document, response).content;
  const list = Object.values(content ?? {})[0]?.schema;
  const issue = list && itemsOf(document, list);
  return issue ? requiredOf(document, issue).has(field) : false;
}
