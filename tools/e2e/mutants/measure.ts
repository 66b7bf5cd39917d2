import { request } from 'node:http';
import { scenariosFor, verify } from '@speech-api/contract';
import { startSandbox } from '@speech-api/sandbox';
import { patient } from '../test/judge/patient.ts';
import { interferenceOf, type Mutant } from './mutant.ts';
import { scenariosOf } from './scenarios.ts';
import { type RunningProxy, startProxy } from './start-proxy.ts';

/** The key that works out of the box. */
export const sandboxKey = 'sandbox-key';

/** Result for a mutant. */
export interface Verdict {
  readonly mutant: Mutant;
  /** Number of changes that the proxy really made. */
  readonly changes: number;
  /** The rules of the findings that count, each once. */
  readonly rules: readonly string[];
  /** One of them was found as an error. */
  readonly isError: boolean;
}

/** A speaking sandbox with the proxy in front of it. */
export interface Bench {
  readonly proxy: RunningProxy;
  /** Makes the sandbox forget what mutants before have left behind, such as voices that were not deleted. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a sandbox and the proxy in front of it. */
export async function openBench(): Promise<Bench> {
  const sandbox = await startSandbox();
  const proxy = await startProxy(sandbox.url);
  return {
    proxy,
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

const scenarios = scenariosFor(1);

/** The scenarios that are about these mutants. */
export const scenariosOfAll = (mutants: readonly Mutant[]): string[] => [
  ...new Set(mutants.flatMap((mutant) => scenariosOf(mutant, scenarios))),
];

/** Lets the judge look through the proxy with these scenarios. */
export const look = (proxy: RunningProxy, only: readonly string[]) =>
  verify({
    target: proxy.url,
    key: sandboxKey,
    only,
    budget: { calls: 10_000, characters: 1_000_000, audioSeconds: 10_000 },
    deterministic: true,
    firstCall: false,
    ...patient,
    concurrency: 1,
  });

/** Lets the judge look at a mutant, through those scenarios alone that are about it. */
export async function measure(mutant: Mutant, { proxy, reset }: Bench): Promise<Verdict> {
  await reset();
  proxy.interfere(interferenceOf(mutant));
  const { findings } = await look(proxy, scenariosOfAll([mutant]));
  const changes = proxy.changes();
  proxy.interfere();
  // An addition must be reported as drift; a break must not be drift alone.
  const counted = findings.filter(({ severity }) => (severity === 'drift') === (mutant.kind === 'addition'));
  return {
    mutant,
    changes,
    rules: [...new Set(counted.map(({ rule }) => rule))],
    isError: counted.some(({ rule, severity }) => severity === 'error' && mutant.rules.includes(rule)),
  };
}
