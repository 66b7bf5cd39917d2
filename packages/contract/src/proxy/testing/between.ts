import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { type ContractProxy, type ContractProxyOptions, startContractProxy } from '../proxy.ts';
import type { ProxyReport } from '../recorder.ts';

/** A proxy in front of a server. */
export async function between(
  upstream: string,
  options: Partial<ContractProxyOptions> = {},
): Promise<ContractProxy> {
  const proxy = await startContractProxy({ port: 0, drainSeconds: 0.1, ...options, upstream });
  onTestFinished(async () => void (await proxy.close()));
  return proxy;
}

export const keyOfTests = 'a-key-of-tests/+1';

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: Uint8Array;
}

/** One call, on a connection of its own, its answer as it came. */
export async function call(address: string, sent: Sent = {}) {
  const answer = await open(address, sent);
  const { statusCode: status = 0, statusMessage: reason, rawHeaders } = answer;
  const body = await buffer(answer);
  return { status, reason, rawHeaders, body, rawTrailers: answer.rawTrailers };
}

/** The beginning of an answer. */
export function open(
  address: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, {
      method,
      agent: false,
      headers: { authorization: `Bearer ${keyOfTests}`, ...headers },
    });
    outgoing.on('response', resolve).on('error', reject);
    outgoing.end(body);
  });
}

/** A finding in a few words. */
export function inWords({ findings }: ProxyReport): readonly string[] {
  return findings.map(({ rule, severity, operationId }) => `${severity} ${rule} ${operationId}`);
}
