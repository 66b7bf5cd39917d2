/**
 * Measures what the default run of the judge notices of the mutants and writes it to default-run.json:
 * node mutants/default-run.ts [every Nth mutant, 1 by default, writes nothing otherwise]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { operationsOf, planFor, scenariosFor } from '@speech-api/contract';
import { patient } from '../test/judge/patient.ts';
import { catalogue } from './catalogue/index.ts';
import { type Bench, measure, type Verdict } from './measure.ts';
import { type Kind, kinds, type Mutant } from './mutant.ts';
import { outcomeOf } from './score.ts';
import { openBench, sandboxKey } from './testing.ts';

/** What the default run notices, by any rule. */
export interface DefaultRun {
  readonly byKind: readonly {
    readonly kind: Kind;
    readonly caught: number;
    readonly errors: number;
    readonly total: number;
  }[];
  readonly caught: number;
  readonly errors: number;
  readonly total: number;
  /** Noticed, as a warning alone. */
  readonly warned: readonly string[];
  /** The calls that show it were made, and nothing was named. */
  readonly survived: readonly string[];
  /** The default run makes no call that it would change. */
  readonly notReached: readonly string[];
}

const file = new URL('./default-run.json', import.meta.url);

/** What was measured last. */
export function readDefaultRun(): DefaultRun {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Drift is tolerated, so that nobody expects the default run to fail on it. */
export const judgedMutants = (): Mutant[] => catalogue(sandboxKey).filter(({ kind }) => kind !== 'addition');

/** A mutant mostly waits, such as for an engine or for a deadline of the server. */
const servers = 4;

/** Lets the default run look at each mutant. */
export async function measureDefaultRun(
  mutants: readonly Mutant[],
  onVerdict?: (verdict: Verdict) => void,
): Promise<Verdict[]> {
  const chosen = new Set(planFor({}).chosen.map(({ name }) => name));
  const played = scenariosFor(1).filter(({ name }) => chosen.has(name));
  const groupsOf = ({ steps }: (typeof played)[number]): string[] =>
    steps.flatMap(({ groups = [] }) => groups.map(({ id }) => id));
  // A mutant changes calls of one operation: nothing shows it but their scenarios, and those that they are compared with.
  const only = ({ operation }: Mutant): string[] => {
    const own = played.filter((scenario) => operationsOf(scenario).includes(operation));
    const compared = new Set(own.flatMap(groupsOf));
    return played
      .filter((scenario) => own.includes(scenario) || groupsOf(scenario).some((id) => compared.has(id)))
      .map(({ name }) => name);
  };
  const benches = await Promise.all(Array.from({ length: servers }, openBench));
  try {
    // The first calls of a sandbox start its engines: what they take is nothing that a mutant does.
    for (const bench of benches) await warmUp(bench);
    const waiting = mutants.values();
    const measured = benches.map((bench) => measure(waiting, { ...bench, only, idleMs: 30_000 }, onVerdict));
    return (await Promise.all(measured)).flat();
  } finally {
    await Promise.all(benches.map((bench) => bench.close()));
  }
}

/** @throws Error when the unbroken server is not judged to keep the contract: then no verdict would mean anything */
async function warmUp({ proxy, verify, key }: Bench): Promise<void> {
  const { findings } = await verify({ target: proxy.url, key, ...patient });
  const counting = findings.filter(({ severity }) => severity !== 'drift');
  if (counting.length > 0)
    throw new Error(`the unbroken sandbox is found broken: ${JSON.stringify(counting)}`);
}

/** Adds up verdicts, in the order of the catalogue. */
export function defaultRunOf(verdicts: readonly Verdict[], mutants: readonly Mutant[]): DefaultRun {
  const byId = new Map(verdicts.map((verdict) => [verdict.mutant.id, verdict]));
  const ordered = mutants.flatMap(({ id }) => byId.get(id) ?? []);
  const isCaught = (verdict: Verdict) => ['caught', 'wrong rule'].includes(outcomeOf(verdict));
  const namesOf = (wanted: (verdict: Verdict) => boolean) =>
    ordered.filter(wanted).map(({ mutant }) => mutant.id);
  const countOf = (some: readonly Verdict[]) => ({
    caught: some.filter(isCaught).length,
    errors: some.filter((verdict) => isCaught(verdict) && verdict.isError).length,
    total: some.length,
  });
  return {
    ...countOf(ordered),
    byKind: kinds
      .map((kind) => ({ kind, ...countOf(ordered.filter(({ mutant }) => mutant.kind === kind)) }))
      .filter(({ total }) => total > 0),
    warned: namesOf((verdict) => isCaught(verdict) && !verdict.isError),
    survived: namesOf((verdict) => outcomeOf(verdict) === 'survived'),
    notReached: namesOf((verdict) => ['not applied', 'failed'].includes(outcomeOf(verdict))),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const step = Number(process.argv[2] ?? 1);
  const mutants = judgedMutants().filter((_mutant, index) => index % step === 0);
  let done = 0;
  const verdicts = await measureDefaultRun(mutants, ({ mutant, took }) => {
    done += 1;
    if (took > 30_000) console.error(`${mutant.id} took ${Math.round(took / 1000)} s`);
    if (done % 50 === 0) console.error(`${done} of ${mutants.length}`);
  });
  const result = defaultRunOf(verdicts, mutants);
  const text = `${JSON.stringify(result, undefined, 2)}\n`;
  if (step === 1) writeFileSync(file, text);
  else console.log(text);
  console.log(`${result.caught} of ${result.total} caught, ${result.errors} of them as errors`);
}
