import type { OperationId } from '@speech-api/types';
import type { DocumentedAnswer } from './answers.ts';
import { prismOperation, prismOperations } from './operations.ts';
import { silentLogger } from './silent-logger.ts';

/** Chance may break a rule that schemas cannot tell the generator, such as that of a date. */
const mostTries = 20;

/**
 * An answer that Prism makes up from the schema, the same for the same seed. Its generator is large, so it is loaded when
 * somebody first asks.
 *
 * @param answer the documented one in whose place it stands
 * @returns the documented answer where nothing can be made up: it has no body, or what came out is not what the schema says
 */
export async function madeUp(
  operationId: OperationId,
  answer: DocumentedAnswer,
  seed = 'speech-mock',
): Promise<DocumentedAnswer> {
  if (answer.body === undefined) return answer;
  const { createInstance } = await import('@stoplight/prism-http');
  const { validateOutput } = await import('@stoplight/prism-http/dist/validator/index.js');
  const resource = prismOperation(operationId);
  const input: Parameters<ReturnType<typeof createInstance>['request']>[0] = {
    method: resource.method as 'get',
    url: { path: resource.path.replaceAll(/\{[^}]+\}/g, 'self'), query: {} },
    headers: {},
  };
  for (let attempt = 0; attempt < mostTries; attempt += 1) {
    const config = {
      mock: {
        dynamic: true,
        code: answer.status,
        mediaTypes: [answer.mediaType ?? ''],
        seed: `${seed} ${attempt}`,
      },
      validateRequest: false,
      validateResponse: false,
      checkSecurity: false,
      errors: false,
      isProxy: false,
      upstreamProxy: undefined,
    } as unknown as Parameters<typeof createInstance>[0];
    const instance = createInstance(config, { logger: silentLogger });
    const outcome = await instance.request(input, [...prismOperations().values()])();
    if (outcome._tag === 'Left') continue;
    const { output } = outcome.right;
    const judged = validateOutput({ resource, element: output } as Parameters<typeof validateOutput>[0]);
    if (judged._tag === 'Right') return { ...answer, body: output.body };
  }
  return answer;
}
