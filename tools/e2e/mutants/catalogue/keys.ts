import type { OperationId } from '@speech-api/types';
import type { Mutant } from '../mutant.ts';
import type { CarriedRequest } from '../proxy/carried.ts';
import { operations } from '../specification.ts';

/** With a bad key the judge asks for nothing that would change a voice model: what it sees there is another refusal than that of the key. */
const harmless: readonly OperationId[] = ['createModel', 'updateModel', 'deleteModel'];

const rulesOf = (operation: OperationId): readonly string[] =>
  harmless.includes(operation) ? ['key-checked', 'refusal-status'] : ['key-checked'];

/** Forms of a wrong key that begin with, or hold, the right one. */
const nearlyRight = [
  ['a letter after the key', 'tail'],
  ['the key under another scheme', 'scheme'],
] as const;

/** A server that lets wrong keys in, and one that asks for none: the real server sees a good key and does the work. */
export function keysLetIn(goodKey: string): Mutant[] {
  const good = `Bearer ${goodKey}`;
  const withGoodKey = (request: CarriedRequest): CarriedRequest => ({
    ...request,
    headers: { ...request.headers, authorization: good },
  });
  const near = (['createSpeech', 'listModels', 'getApiCredit', 'openLiveSession'] as const).flatMap(
    (operation) =>
      nearlyRight.map(
        ([words, form]): Mutant => ({
          id: `${operation}: ${words} is let in`,
          kind: 'key let in',
          operation,
          topic: [`key-${form}-${operation}`],
          rules: ['key-checked'],
          interference: {
            request: (request) => {
              const given = request.headers.authorization ?? '';
              return given !== good && given.includes(goodKey) ? withGoodKey(request) : undefined;
            },
          },
        }),
      ),
  );
  const all = operations.flatMap(({ operationId }): Mutant[] => [
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
  return [...all, ...near];
}
