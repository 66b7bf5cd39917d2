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

export interface Answered {
  readonly status: number;
  readonly reason: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly rawTrailers: readonly string[];
}

/** One call, on a connection of its own, its answer as it came. */
export async function call(address: string, { method = 'GET', headers, body }: Sent = {}): Promise<Answered> {
  const answer = await open(address, { method, ...(headers && { headers }), ...(body && { body }) });
  const bytes = await buffer(answer);
  return {
    status: answer.statusCode ?? 0,
    reason: answer.statusMessage ?? '',
    rawHeaders: answer.rawHeaders,
    body: bytes,
    rawTrailers: answer.rawTrailers,
  };
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
