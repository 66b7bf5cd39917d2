import { CannotJudge } from '../errors.ts';
import type { Exchange, HttpExchange } from '../exchange.ts';
import { findOperation } from '../specification/operations.ts';
import { readAddress } from '../transport/address.ts';
import { sendCall } from '../transport/send-call.ts';

/** Where the reading calls of a recording are sent again. */
export interface SendOptions {
  readonly target: string;
  readonly key: string;
}

/** More calls than this are not sent: a recording may hold thousands. */
export const mostSentCalls = 75;

const limits = { idleMs: 20_000, totalMs: 120_000, bodyBytes: 64 * 1024 * 1024 };

/** The GET calls of recordings, each once, at their place below another address. */
export function readingCalls(exchanges: readonly Exchange[], target: string): readonly HttpExchange[] {
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
  return [...calls.values()].slice(0, mostSentCalls);
}

/**
 * Sends calls one after the other and notes what is answered now.
 *
 * @throws CannotJudge when none of them is answered
 */
export async function sendAgain(
  calls: readonly HttpExchange[],
  { target, key }: SendOptions,
): Promise<readonly HttpExchange[]> {
  const answered: HttpExchange[] = [];
  for (const { name, operationId, request } of calls) {
    const headers = { accept: '*/*', 'user-agent': 'speech-contract', authorization: `Bearer ${key}` };
    const sent = { ...request, headers };
    const { response } = await sendCall(sent, limits);
    const common = { kind: 'http' as const, name, request: sent, response };
    answered.push({ ...common, ...(operationId !== undefined && { operationId }) });
  }
  if (answered.every(({ response }) => response.status === 0)) {
    throw new CannotJudge(`${target} answers none of the ${calls.length} reading calls of the recording.`);
  }
  return answered;
}
