import { CannotJudge } from '../errors.ts';
import type { Exchange, HttpExchange } from '../exchange.ts';
import { defaultBudget } from '../judge/report.ts';
import { findOperation } from '../specification/operations.ts';
import { readAddress } from '../transport/address.ts';
import { sendCall } from '../transport/send-call.ts';

/** Where the GET calls of a recording are sent again. */
export interface SendOptions {
  readonly target: string;
  readonly key: string;
}

const limits = { idleMs: 20_000, totalMs: 120_000, bodyBytes: 64 * 1024 * 1024 };

/** The GET calls of recordings, each once, at their place below another address. */
function readingCalls(exchanges: readonly Exchange[], target: string): readonly HttpExchange[] {
  const base = readAddress('--target', target, ['http:', 'https:']);
  const calls = new Map<string, HttpExchange>();
  for (const exchange of exchanges) {
    if (exchange.kind !== 'http' || exchange.request.method !== 'GET') continue;
    const operation = findOperation('GET', exchange.request.url);
    if (operation === undefined) continue;
    const { pathname, search } = new URL(exchange.request.url);
    const depth = operation.path.split('/').length - 1;
    const url = `${base}/${pathname.replace(/\/$/, '').split('/').slice(-depth).join('/')}${search}`;
    const request = { method: 'GET', url, headers: {} };
    if (!calls.has(url)) calls.set(url, { ...exchange, request });
  }
  // A recording may hold thousands.
  return [...calls.values()].slice(0, defaultBudget.calls);
}

/**
 * Sends the GET calls of recordings one after the other and notes what is answered now.
 *
 * @throws CannotJudge when there is none, or none of them is answered
 */
export async function sendAgain(
  exchanges: readonly Exchange[],
  { target, key }: SendOptions,
): Promise<readonly HttpExchange[]> {
  const calls = readingCalls(exchanges, target);
  if (calls.length === 0) throw new CannotJudge('The recording has no GET call to send again.');
  const headers = { accept: '*/*', 'user-agent': 'speech-contract', authorization: `Bearer ${key}` };
  const answered: HttpExchange[] = [];
  for (const { groups: _groups, expectation: _expectation, source: _source, ...call } of calls) {
    const request = { ...call.request, headers };
    answered.push({ ...call, request, response: (await sendCall(request, limits)).response });
  }
  if (answered.every(({ response }) => response.status === 0)) {
    throw new CannotJudge(`${target} answers none of the ${calls.length} GET calls of the recording.`);
  }
  return answered;
}
