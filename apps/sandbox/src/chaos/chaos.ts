import type { IncomingMessage } from 'node:http';
import { type Faults, Refusal, readFaults, readRule, wordsOf } from '@speech-api/server';

/** The header that asks for faults of one answer, where chaos is on. */
export const chaosHeader = 'x-sandbox-chaos';

/** Decides what goes wrong with which answer. */
export interface Chaos {
  /**
   * The faults of an answer: those of the request's header, otherwise those of the first rule that strikes.
   *
   * @throws Refusal `rule` when the header is no good
   */
  faultsFor(request: IncomingMessage): Faults | undefined;
}

/** With nothing going wrong, whatever the header says. */
export const noChaos: Chaos = { faultsFor: () => undefined };

/**
 * Makes chaos.
 *
 * @param rules such as `POST /v1/tts status=503 times=2`; without any only the header has a say
 * @throws Error naming the rule that is no good
 */
export function createChaos(rules: readonly string[]): Chaos {
  const read = rules.map(readRule);
  return {
    faultsFor(request) {
      const asked = [request.headers[chaosHeader]].flat().join(',');
      if (asked !== '') return faultsOfHeader(asked);
      const path = (request.url ?? '').split('?')[0] ?? '';
      return read.find((rule) => rule.strikes(request.method ?? '', path))?.faults;
    },
  };
}

function faultsOfHeader(asked: string): Faults {
  try {
    return readFaults(wordsOf(asked));
  } catch (error) {
    throw new Refusal('rule', { message: `The header ${chaosHeader}: ${(error as Error).message}` });
  }
}
