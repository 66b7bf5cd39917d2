import {
  isObject,
  type Json,
  type JsonObject,
  mediaTypesOf,
  type SpecDocument,
  type SpecOperation,
} from '@speech-api/spec/read';
import { printComment } from './typescript.ts';

/** The module with one row per operation. */
export function generateOperationTable(document: SpecDocument, refusals: Json): string {
  const billed = billedOperations(refusals);
  const rows = Object.fromEntries(
    document.operations().map((operation) => [operation.id, describeOperation(operation, billed)]),
  );
  return (
    [
      "import type { OperationInfo } from '../operation-info.ts';",
      "import type { operations } from './openapi.ts';\n",
      printComment('Every operation by its operationId.'),
    ].join('\n') +
    `export const operationTable = ${JSON.stringify(rows)} as const satisfies Record<keyof operations, OperationInfo>;\n`
  );
}

function describeOperation(operation: SpecOperation, billed: ReadonlySet<string>): JsonObject {
  const { id, method, path, pathItem, parameters, requestBody, responses } = operation;
  const [success] = [...responses].filter(([status]) => status.startsWith('2') || status === '101');
  if (!success) throw new Error(`${id} has no success response.`);
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  const header = (header: string) => headers.find(({ name }) => String(name).toLowerCase() === header);
  return {
    method: method.toUpperCase(),
    path,
    summary: wordsOf(operation, 'summary'),
    section: wordsOf(operation, 'x-section'),
    requestMediaTypes: mediaTypesOf(requestBody),
    responseMediaTypes: mediaTypesOf(success[1]),
    successStatus: Number(success[0]),
    acceptsTraceparent: header('traceparent') !== undefined,
    requiresModel: header('model')?.required === true,
    billed: billed.has(id),
    beta: operation.operation['x-beta'] === true,
    webSocket: hasWebSocketServer(operation.operation) || hasWebSocketServer(pathItem),
  };
}

function wordsOf({ id, operation }: SpecOperation, key: string): string {
  const words = operation[key];
  if (typeof words !== 'string') throw new Error(`${id} has no ${key}.`);
  return words;
}

function hasWebSocketServer({ servers }: JsonObject): boolean {
  return (
    Array.isArray(servers) &&
    servers.some((server: Json) => isObject(server) && server.url === '{ws_base_url}')
  );
}

function billedOperations(refusals: Json): Set<string> {
  const entries = Array.isArray(refusals) ? refusals : [];
  const credit = entries.find((entry: Json) => isObject(entry) && entry.id === 'credit');
  if (!isObject(credit) || !Array.isArray(credit.applies_to))
    throw new Error('The refusal `credit` names no operations.');
  return new Set(credit.applies_to.map(String));
}

interface DataModule {
  readonly name: string;
  readonly type: string;
  readonly comment: string;
  readonly value: Json | undefined;
}

/** A module with one list of rules, refusals or tolerances. */
export function generateDataModule({ name, type, comment, value }: DataModule): string {
  if (!Array.isArray(value) || value.length === 0) throw new Error(`The specification has no ${name}.`);
  return (
    `import type { ${type} } from '../rule-data.ts';\n\n${printComment(comment)}` +
    `export const ${name}: readonly ${type}[] = ${JSON.stringify(value)};\n`
  );
}

/** Examples serve the specification's tests; they are not published. */
export function withoutExamples(value: Json | undefined): Json {
  const entries = Array.isArray(value) ? value : [];
  return entries.map((entry: Json) => {
    if (!isObject(entry)) return entry;
    const { examples: _, ...rest } = entry;
    return rest;
  });
}
