import type { OperationId } from '@speech-api/types';
import type { Mutant } from '../mutant.ts';
import type { CarriedRequest } from '../proxy/carried.ts';
import { operations } from '../specification.ts';

/** With a bad key the judge asks for nothing that would change a voice model: what it sees there is another refusal than that of the key. */
const harmless: readonly OperationId[] = ['createModel', 'updateModel', 'deleteModel'];

const rulesOf = (operation: OperationId): readonly string[] =>
  harmless.includes(operation) ? ['key-checked', 'refusal-status'] : ['key-checked'];

/** A server that lets wrong keys in, and one that asks for none: the real server sees a good key and does the work. */
export function keysLetIn(goodKey: string): Mutant[] {
  const good = `Bearer ${goodKey}`;
  const withGoodKey = (request: CarriedRequest): CarriedRequest => ({
    ...request,
    headers: { ...request.headers, authorization: good },
  });
  return operations.flatMap(({ operationId }) => [
    {
      id: `${operationId}: a wrong key is let in`,
      kind: 'key let in',
      operation: operationId,
      topic: [`key-unknown-${operationId}`],
      rules: rulesOf(operationId),
      interference: {
        request: (request: CarriedRequest) => {
          const given = request.headers.authorization;
          return given === undefined || given === good ? undefined : withGoodKey(request);
        },
      },
    },
    {
      id: `${operationId}: nobody needs a key`,
      kind: 'key let in',
      operation: operationId,
      topic: 'key',
      rules: rulesOf(operationId),
      interference: {
        request: (request: CarriedRequest) =>
          request.headers.authorization === good ? undefined : withGoodKey(request),
      },
    },
  ]);
}
