import { readFileSync } from 'node:fs';
import type { OperationId } from '@speech-api/types';
import type { getHttpOperationsFromSpec } from '@stoplight/prism-http';

/** An operation as Prism reads it from the document. */
export type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

let loaded: ReadonlyMap<OperationId, PrismOperation> | undefined;

/** The operations of the spec's 3.1 document. Prism read them when this package was built; they are loaded once a process. */
export function prismOperations(): ReadonlyMap<OperationId, PrismOperation> {
  if (loaded === undefined) {
    const text = readFileSync(new URL('../../dist/operations.json', import.meta.url), 'utf8');
    const operations = JSON.parse(text) as PrismOperation[];
    loaded = new Map(operations.map((operation) => [operation.iid as OperationId, operation]));
  }
  return loaded;
}

/** The operation of this id. */
export function prismOperation(id: OperationId): PrismOperation {
  const operation = prismOperations().get(id);
  if (operation === undefined) throw new Error(`Prism has not read the operation ${id}.`);
  return operation;
}
