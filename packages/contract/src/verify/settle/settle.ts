import type { Exchange } from '../../exchange.ts';
import { judge } from '../../judge/judge.ts';
import type { Finding, RunSummary } from '../../judge/report.ts';
import { register } from '../../specification/document.ts';
import { serviceRules } from '../../specification/rules.ts';
import { aboutTheAccount } from '../../subjects/attempts.ts';
import { addCosts, type Budget, costOf, costOfScenario, whatIsExceeded } from '../budget.ts';
import { firstCall } from '../preflight.ts';
import type { Scenario } from '../step.ts';
import { play, scenariosFor, type VerifyOptions } from '../verify.ts';
import { probes } from './probes.ts';

/** Options for comparing a register of guesses with a server. */
export interface SettleOptions
  extends Pick<VerifyOptions, 'target' | 'live' | 'key' | 'budget' | 'limits' | 'signal'> {
  /** Ids of entries; all if left out or empty. */
  readonly only?: readonly string[];
  /** Also plays what creates, changes and deletes voice models. @defaultValue false */
  readonly allowChanges?: boolean;
}

/** Cost of all entries, with some room. */
export const settleBudget: Budget = { calls: 150, characters: 4000, audioSeconds: 900 };

/** Result for one entry of the register. */
export interface Guess {
  /** Of the entry in `unknowns.yaml`. */
  readonly id: string;
  readonly verdict: 'holds' | 'does not hold' | 'not shown' | 'not played';
  /** Present choice of the specification. */
  readonly choice: string;
  /** Reason why it was not played, or why the answers do not show it. */
  readonly reason?: string;
  /** Findings that show what the server does instead. */
  readonly found: readonly Finding[];
  /** Places to change: a file below `spec/`, and the id or the JSON pointer in it. */
  readonly change: readonly { readonly file: string; readonly key: string }[];
}

/** The report of `settle`. */
export interface SettleReport extends Pick<RunSummary, 'spent' | 'leftBehind'> {
  readonly guesses: readonly Guess[];
}

type Entry = ReturnType<typeof register>[number];

/** An entry of the register, and what would be played for it; or the reason why nothing is. */
interface Candidate {
  readonly entry: Entry;
  readonly scenarios: readonly Scenario[];
  readonly reason?: string;
}

/** Chooses what fits the budget, in the order of the register, each scenario once. Nothing is sent. */
export function planSettling({
  only = [],
  allowChanges = false,
  budget,
}: Pick<SettleOptions, 'only' | 'allowChanges' | 'budget'>) {
  const byName = new Map([...scenariosFor(1), ...probes].map((scenario) => [scenario.name, scenario]));
  const chosen = new Set<Scenario>();
  let cost = costOf(firstCall);
  const entries = register().filter(({ id }) => only.length === 0 || only.includes(id));
  const candidates = entries.map((entry): Candidate => {
    const without = (reason: string): Candidate => ({ entry, scenarios: [], reason });
    if (entry.play === undefined) return without(`by hand: ${entry.settle}`);
    const scenarios = entry.play.scenarios.map((name) => {
      const scenario = byName.get(name);
      if (scenario === undefined) throw new Error(`${entry.id} names ${name}, which is not a scenario.`);
      return scenario;
    });
    if (!allowChanges && scenarios.some(({ writes }) => writes === true))
      return without('it creates, changes or deletes a voice model; add --allow-changes');
    const fresh = scenarios.filter((scenario) => !chosen.has(scenario));
    const next = fresh.map(costOfScenario).reduce(addCosts, cost);
    const exceeded = whatIsExceeded(next, { ...settleBudget, ...budget });
    if (exceeded !== undefined) return without(`it did not fit ${exceeded}`);
    cost = next;
    for (const scenario of fresh) chosen.add(scenario);
    return { entry, scenarios };
  });
  return { candidates, chosen: [...chosen], cost, leftOut: [] };
}

/**
 * Compares every guess of the register that a client can test with what a server does.
 *
 * @throws CannotJudge if the first call shows that nothing can be learned
 * @throws UsageError if an address is invalid
 */
export async function settle(options: SettleOptions): Promise<SettleReport> {
  const plan = planSettling(options);
  const { only: _entries, ...others } = options;
  const budget = { ...settleBudget, ...options.budget };
  const { exchanges, spent, leftBehind } = await play(plan, { ...others, budget, concurrency: 2 });
  const guesses: Guess[] = [];
  for (const candidate of plan.candidates) guesses.push(await compare(candidate, exchanges));
  return { guesses, spent, leftBehind };
}

async function compare(candidate: Candidate, exchanges: readonly Exchange[]): Promise<Guess> {
  const { entry, scenarios, reason } = candidate;
  const { id, choice, places } = entry;
  const common = { id, choice, found: [], change: places };
  const guess = (verdict: Guess['verdict'], reason?: string): Guess => ({
    ...{ ...common, verdict },
    ...(reason !== undefined && { reason }),
  });
  if (reason !== undefined) return guess('not played', reason);
  const names = scenarios.flatMap(({ steps }) => steps.map(({ name }) => name));
  const seen = exchanges.filter(({ name }) => names.includes(name));
  const { findings, exchanges: answered, coverage } = await judge(seen);
  const own = rulesOf(entry);
  const found = findings.filter(
    ({ rule, operationId = '' }) =>
      own.includes(rule) ||
      (aboutTheOutcome.includes(rule) && (entry.play?.outcome_of?.includes(operationId) ?? true)),
  );
  const busy = answered.find(({ status }) => status === 0 || aboutTheAccount.includes(status));
  if (busy !== undefined)
    return guess(
      'not shown',
      `"${busy.name}": ${busy.status === 0 ? 'no answer came' : `the answer was ${busy.status}`}`,
    );
  if (found.length > 0) return { ...guess('does not hold'), found, change: placesOf(entry, found, seen) };
  if (seen.length < names.length)
    return guess('not shown', 'an earlier answer did not give what a later call needs');
  const judged = coverage.cells.flatMap(({ rules }) => Object.keys(rules));
  if (own.length === 0 || own.some((rule) => judged.includes(rule))) return guess('holds');
  return guess('not shown', `no answer says anything about ${own.join(' or ')}`);
}

/** The places to change for an entry; for refusals, the entry and those that were answered otherwise. */
function placesOf({ id, places }: Entry, findings: readonly Finding[], seen: readonly Exchange[]) {
  const refusals = findings.map(({ exchange }) => {
    const expectation = seen.find(({ name }) => name === exchange)?.expectation;
    return expectation?.outcome === 'refused' ? expectation.refusals : [];
  });
  const named = places.filter(({ key }) => refusals.flat().includes(key));
  const areAllNamed = refusals.every((ids) => named.some(({ key }) => ids.includes(key)));
  return areAllNamed ? [...places.filter(({ key }) => key === id), ...named] : places;
}

/** The judged rules that decide about an entry. */
function rulesOf({ rules = [], play }: Entry): string[] {
  const judged = serviceRules();
  return [...rules, ...(play?.rules ?? [])]
    .map((rule) => rule.slice(rule.indexOf('/') + 1))
    .filter((rule) => judged.has(rule));
}

/** Rules about the outcome of a call: a success or a refusal, as the specification says. */
const aboutTheOutcome: readonly string[] = [
  'success-expected',
  'refusal-expected',
  'key-checked',
  'success-status',
  'refusal-status',
  'server-fault',
];
