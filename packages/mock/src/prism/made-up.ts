import type { OperationId } from '@speech-api/types';
import type { DocumentedAnswer } from './answers.ts';
import { prismOperation, prismOperations } from './operations.ts';
import { silentLogger } from './silent-logger.ts';

/**
 * An answer that Prism makes up from the schema, the same for the same seed. Its generator is large, so it is loaded when
 * somebody first asks.
 *
 * @param answer the documented one in whose place it stands
 * @returns the documented answer itself where it has no body
 */
export async function madeUp(
  operationId: OperationId,
  answer: DocumentedAnswer,
  seed = 'speech-mock',
): Promise<DocumentedAnswer> {
  if (answer.body === undefined) return answer;
  const { createInstance } = await import('@stoplight/prism-http');
  const resource = prismOperation(operationId);
  const input: Parameters<ReturnType<typeof createInstance>['request']>[0] = {
    method: resource.method as 'get',
    url: { path: resource.path.replaceAll(/\{[^}]+\}/g, 'self'), query: {} },
    headers: {},
  };
  const config = {
    mock: { dynamic: true, code: answer.status, mediaTypes: [answer.mediaType ?? ''], seed },
    validateRequest: false,
    validateResponse: false,
    checkSecurity: false,
    errors: false,
    isProxy: false,
    upstreamProxy: undefined,
  } as unknown as Parameters<typeof createInstance>[0];
  const instance = createInstance(config, { logger: silentLogger });
  const outcome = await instance.request(input, [...prismOperations().values()])();
  if (outcome._tag === 'Left') throw outcome.left;
  return { ...answer, body: outcome.right.output.body };
}
