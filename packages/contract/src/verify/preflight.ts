import { CannotJudge } from '../errors.ts';
import type { HttpExchange } from '../exchange.ts';
import { circumstanceOf, circumstanceWords } from '../judge/circumstances.ts';
import { hideKey } from '../key.ts';
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
  const { status } = exchange.response;
  if (exchange.response.ended === 'deadline' && status === 0)
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
  const { location } = exchange.response.headers;
  if (status >= 300 && status < 400 && location !== undefined) {
    throw new CannotJudge(
      `${target.base} redirects to ${hideKey(location, target.key)} (status ${status}), and a key is not sent on to another address. ` +
        'Set --target to the address that answers by itself.',
    );
  }
  if (!looksLikeList(exchange)) {
    const type = exchange.response.headers['content-type'] ?? 'no content type';
    throw new CannotJudge(
      `${target.base} does not look like a speech API: ${exchange.request.method} ${new URL(exchange.request.url).pathname} ` +
        `answered ${status} with ${type}. Check --target: it is the base address, without /v1.`,
    );
  }
}

/** A server can be judged if it answers with a list or with an error of the interface. */
function looksLikeList(exchange: HttpExchange): boolean {
  const body = jsonOf(exchange);
  if (body !== undefined) return 'items' in body || 'total' in body || 'has_more' in body;
  const text = Buffer.from(exchange.response.body).toString('utf8').trimStart();
  return exchange.response.status >= 400 && exchange.response.status !== 404 && /^[[{]/.test(text);
}
