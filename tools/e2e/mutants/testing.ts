import { request } from 'node:http';
import { scenariosFor, verify } from '@speech-api/contract';
import { startSandbox } from '@speech-api/sandbox';
import type { Bench } from './measure.ts';
import { startProxy } from './proxy/start-proxy.ts';

/** The key that works out of the box. */
export const sandboxKey = 'sandbox-key';

/** A bench in front of a speaking sandbox. */
export interface OpenBench extends Bench {
  close(): Promise<void>;
}

/** Starts a sandbox and the proxy in front of it. */
export async function openBench(): Promise<OpenBench> {
  const sandbox = await startSandbox();
  const proxy = await startProxy(sandbox.url);
  return {
    proxy,
    verify,
    scenarios: scenariosFor(1),
    key: sandboxKey,
    reset: () => resetSandbox(sandbox.url),
    close: async () => {
      await proxy.close();
      await sandbox.close();
    },
  };
}

/** On a connection of its own: one that is kept may be closed by the sandbox in the moment it is used again. */
function resetSandbox(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/__sandbox/reset`, { method: 'POST', agent: false }, (answer) => {
      answer.resume();
      if (answer.statusCode === 200 || answer.statusCode === 204) answer.once('end', resolve);
      else reject(new Error(`the sandbox did not reset: ${answer.statusCode}`));
    });
    call.once('error', reject);
    call.end();
  });
}
