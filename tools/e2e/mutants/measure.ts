import type { VerifyOptions } from '@speech-api/contract';
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
  /** Milliseconds. */
  readonly took: number;
}

/** What counts among what a judge found: additions that are tolerated do not. */
interface Judged {
  readonly findings: readonly { readonly rule: string; readonly severity: string }[];
}

/** What mutants are measured with. */
export interface Bench {
  readonly proxy: RunningProxy;
  readonly verify: (options: VerifyOptions) => Promise<Judged>;
  readonly scenarios: readonly KnownScenario[];
  readonly key: string;
}

/** Far more than the scenarios of one mutant take. */
const budget = { calls: 1000, characters: 1_000_000, audioSeconds: 10_000 };

/** Lets the judge look at each mutant in turn, through those scenarios alone that must see it. */
export async function measure(
  mutants: readonly Mutant[],
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

async function measureOne(mutant: Mutant, { proxy, verify, scenarios, key }: Bench): Promise<Verdict> {
  const only = scenariosOf(mutant, scenarios);
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
  });
  const counted = findings.filter(({ severity }) => severity !== 'drift').map(({ rule }) => rule);
  return {
    mutant,
    changes: proxy.changes(),
    failures: proxy.failures(),
    rules: [...new Set(counted)],
    took: performance.now() - startedAt,
  };
}
