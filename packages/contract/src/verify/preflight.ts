import { CannotJudge } from '../errors.ts';
import type { HttpExchange } from '../exchange.ts';
import { circumstanceOf, circumstanceWords } from '../judge/circumstances.ts';
import { hideKey } from '../key.ts';
import { isJsonType, mediaTypeOf } from '../subjects/answer.ts';
import { whyUnreachable } from '../transport/send-call.ts';
import type { Made, Target } from './request.ts';
import { call, jsonOf } from './scenarios/making.ts';
import type { CallStep } from './step.ts';

/** The first call of every run: the cheapest one that shows whether there is a speech API and whether the key is good. */
export const firstCall: CallStep = call('listModels', 'the first call');

/**
 * Explains the remedy if the first call shows that nothing can be judged.
 *
 * @throws CannotJudge when the server cannot be reached, does not know the key, or is not a speech API
 */
export function checkFirstCall({ exchange, failure }: Made, target: Target): void {
  if (exchange.kind !== 'http') return;
  const { status, ended, headers, failure: flaw } = exchange.response;
  if (ended === 'deadline' && status === 0)
    throw new CannotJudge(
      `${target.base} is slow: no answer came in time. Run it again, or give a longer --timeout.`,
      'late',
    );
  if (failure !== undefined) throw new CannotJudge(whyUnreachable(failure, target.base), 'no-server');
  const circumstance = circumstanceOf.get(status);
  if (circumstance !== undefined)
    throw new CannotJudge(
      `${target.base} cannot be judged now: ${circumstanceWords[circumstance]}.`,
      circumstance,
    );
  if (status === 401) {
    throw new CannotJudge(
      `${target.base} does not accept the key in SPEECH_API_KEY (status ${status}). Set it to a key of this server; ` +
        'a sandbox that runs on its own seed data takes SPEECH_API_KEY=sandbox-key.',
      'key',
    );
  }
  const { method, url } = exchange.request;
  const call = `${method} ${new URL(url).pathname}`;
  const { location } = headers;
  if (status >= 300 && status < 400 && location !== undefined) {
    const isSameServer = URL.parse(location, url)?.origin === new URL(url).origin;
    throw new CannotJudge(
      `${target.base} answered ${call} with a redirect to ${hideKey(location, target.key)} (status ${status}). ` +
        (isSameServer
          ? 'The interface has no redirects, so none is followed. Let the server answer at the path of the interface.'
          : 'A key is not sent on to another address. Set --target to the address that answers by itself.'),
    );
  }
  if (flaw !== undefined) {
    throw new CannotJudge(
      `${target.base} answered ${call} with ${status}, and a body that can't be read: ${flaw}. ` +
        'Clients on Node cannot read it either; look at the server or the proxy that writes it.',
    );
  }
  if (!canBeJudged(exchange)) {
    throw new CannotJudge(
      `${target.base} does not look like a speech API: ${call} answered ${status} with ${headers['content-type'] ?? 'no content type'}. ` +
        'Check --target: it is the base address, without /v1. A server without voice models is judged with --except listModels, ' +
        'or with --operations and the names of what it has.',
    );
  }
}

/** True for a list, for an error of the interface, and for what is called JSON and is broken: that is judged. */
function canBeJudged(exchange: HttpExchange): boolean {
  const { status, headers, body } = exchange.response;
  const answered = jsonOf(exchange);
  if (answered !== undefined) return 'items' in answered || 'total' in answered || 'has_more' in answered;
  if (status < 300) return isJsonType(mediaTypeOf(headers['content-type']) ?? '');
  const text = Buffer.from(body).toString('utf8').trimStart();
  return status >= 400 && status !== 404 && /^[[{]/.test(text);
}
