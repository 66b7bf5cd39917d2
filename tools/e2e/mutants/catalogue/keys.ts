import type { Mutant } from '../mutant.ts';
import type { CarriedRequest } from '../proxy/carried.ts';
import { operations } from '../specification.ts';

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
      rules: ['key-checked'],
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
      rules: ['key-checked'],
      interference: {
        request: (request: CarriedRequest) =>
          request.headers.authorization === good ? undefined : withGoodKey(request),
      },
    },
  ]);
}
