import type { IncomingMessage } from 'node:http';
import { type FaultRule, type Faults, Refusal, readFaults, wordsOf } from '@speech-api/server';

/** The header by which a request asks for what goes wrong with its answer. */
export const faultHeader = 'x-mock-fault';

/**
 * What is to go wrong with an answer: what the request's header asks for, otherwise what the first rule for it says.
 *
 * @throws Refusal `rule` when the header is no good
 */
export function faultsOf(request: IncomingMessage, rules: readonly FaultRule[]): Faults | undefined {
  const asked = [request.headers[faultHeader]].flat().join(',');
  if (asked === '') {
    const path = (request.url ?? '').split('?')[0] ?? '';
    return rules.find((rule) => rule.strikes(request.method ?? '', path))?.faults;
  }
  try {
    return readFaults(wordsOf(asked));
  } catch (error) {
    throw new Refusal('rule', {
      message: `The header ${faultHeader}: ${(error as Error).message}`,
      cause: error,
    });
  }
}
