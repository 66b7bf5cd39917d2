import type { VerifyOptions } from '@speech-api/contract';
import { patient } from '../test/judge/patient.ts';
import { interferenceOf } from './catalogue/interferences.ts';
import type { Mutant } from './mutant.ts';
import type { RunningProxy } from './proxy/start-proxy.ts';
import { type KnownScenario, scenariosOf } from './scenarios.ts';

/** What became of a mutant. */
export interface Verdict {
  readonly mutant: Mutant;
  /** How often the proxy really changed something. */
  readonly changes: number;
  /** Mistakes in the mutant itself. */
  readonly failures: readonly string[];
  /** The rules of what was found and counts, each once. */
  readonly rules: readonly string[];
  /** One of them was found as an error. */
  readonly isError: boolean;
  /** Milliseconds. */
  readonly took: number;
}

/** What a judge found. An addition must be reported as drift and as nothing else counts; a break must not be drift alone. */
interface Judged {
  readonly findings: readonly { readonly rule: string; readonly severity: string }[];
}

/** What mutants are measured with. */
export interface Bench {
  readonly proxy: RunningProxy;
  readonly verify: (options: VerifyOptions) => Promise<Judged>;
  readonly scenarios: readonly KnownScenario[];
  readonly key: string;
  /** Makes the server forget what mutants before have left behind, such as voices that were not deleted. */
  readonly reset: () => Promise<void>;
  /** The scenarios that a mutant is looked at with. @defaultValue those that must see it */
  readonly only?: (mutant: Mutant) => readonly string[];
  /** How long to wait for the next byte. @defaultValue as long as a busy machine may need */
  readonly idleMs?: number;
}

/** Far more than the scenarios of one mutant take. */
const budget = { calls: 1000, characters: 1_000_000, audioSeconds: 10_000 };

/**
 * Lets the judge look at each mutant in turn, through those scenarios alone that must see it.
 *
 * @param mutants an iterator shared by several benches gives each mutant to one of them
 */
export async function measure(
  mutants: Iterable<Mutant>,
  bench: Bench,
  onVerdict: (verdict: Verdict) => void = () => {},
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const mutant of mutants) {
    const verdict = await measureOne(mutant, bench);
    verdicts.push(verdict);
    onVerdict(verdict);
  }
  bench.proxy.interfere();
  return verdicts;
}

async function measureOne(
  mutant: Mutant,
  {
    proxy,
    verify,
    scenarios,
    key,
    reset,
    only: chosen = (one) => scenariosOf(one, scenarios),
    idleMs,
  }: Bench,
): Promise<Verdict> {
  const only = chosen(mutant);
  await reset();
  const startedAt = performance.now();
  proxy.interfere(interferenceOf(mutant));
  const { findings } = await verify({
    target: proxy.url,
    key,
    only,
    budget,
    deterministic: true,
    firstCall: false,
    concurrency: 1,
    ...patient,
    ...(idleMs !== undefined && { limits: { ...patient.limits, idleMs } }),
  });
  const counted = findings
    .filter(({ severity }) => (severity === 'drift') === (mutant.kind === 'addition'))
    .map(({ rule }) => rule);
  return {
    mutant,
    changes: proxy.changes(),
    failures: proxy.failures(),
    rules: [...new Set(counted)],
    isError: findings.some(({ severity }) => severity === 'error'),
    took: performance.now() - startedAt,
  };
}
