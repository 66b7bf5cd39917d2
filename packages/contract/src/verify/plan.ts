import { refusals } from '@speech-api/types';
import type { Cost, Profile } from '../judge/report.ts';
import { littleWorth, shownBy } from './shown-by.ts';
import {
  addCosts,
  type Budget,
  costOfScenario,
  noCost,
  type Scenario,
  type Step,
  whatIsExceeded,
} from './step.ts';

/** What a run does and what it leaves out. */
export interface Plan {
  readonly chosen: readonly Scenario[];
  readonly cost: Cost;
  /** What a larger budget has room for comes last. */
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  readonly scenario: Scenario;
  /** What would have to be different for it to run. */
  readonly reason: string;
}

interface PlanOptions {
  readonly budget: Budget;
  readonly profile: Profile;
  readonly readOnly: boolean;
  /** Names of scenarios, or beginnings of names that end in `*`; all when left out. */
  readonly only?: readonly string[];
  /** What is spent already. @defaultValue nothing */
  readonly spent?: Cost;
}

/**
 * Takes in turn the scenario that shows most of what no other has shown yet, for each call that it costs, as long as
 * the budget allows. Priorities decide only between equals.
 */
export function makePlan(scenarios: readonly Scenario[], options: PlanOptions): Plan {
  const leftOut: LeftOut[] = [];
  const waiting: Candidate[] = [];
  for (const scenario of [...scenarios].sort((first, second) => first.priority - second.priority)) {
    const steps = scenario.steps.filter((step) => options.profile === 'full' || !needsState(step));
    const reason = whyNot(scenario, steps, options);
    if (reason !== undefined) leftOut.push({ scenario, reason });
    else {
      const fitting = { ...scenario, steps };
      waiting.push({ scenario, fitting, cost: costOfScenario(fitting), shown: shownBy(fitting) });
    }
  }
  const chosen = improve(waiting, choose(waiting, [], options), options);
  const cost = costOf(chosen, options);
  for (const one of waiting) {
    if (chosen.includes(one)) continue;
    const exceeded = whatIsExceeded(addCosts(cost, one.cost), options.budget);
    leftOut.push({ scenario: one.scenario, reason: `it did not fit ${exceeded}` });
  }
  return { chosen: chosen.map(({ fitting }) => fitting), cost, leftOut };
}

/** Adds the candidate of the greatest worth again and again, for as long as one fits. */
function choose(all: readonly Candidate[], kept: readonly Candidate[], options: PlanOptions): Candidate[] {
  const chosen = [...kept];
  const seen = new Set(chosen.flatMap(({ shown }) => [...shown.keys()]));
  let cost = costOf(chosen, options);
  // What a candidate is worth only falls as others are chosen: one that still leads once it is counted again is the best.
  const waiting = all
    .filter((one) => !kept.includes(one))
    .map((one, place) => ({ one, place, worth: worthOf(one, seen) }))
    .sort((first, other) => other.worth - first.worth || first.place - other.place);
  for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
    const { one, place } = first;
    const together = addCosts(cost, one.cost);
    if (whatIsExceeded(together, options.budget) !== undefined) continue;
    const worth = worthOf(one, seen);
    const behind = waiting.findIndex(
      (other) => worth > other.worth || (worth === other.worth && place < other.place),
    );
    if (behind > 0 || (behind < 0 && waiting.length > 0)) {
      waiting.splice(behind < 0 ? waiting.length : behind, 0, { one, place, worth });
      continue;
    }
    for (const name of one.shown.keys()) seen.add(name);
    chosen.push(one);
    cost = together;
  }
  return chosen;
}

/** A large scenario may show what many small ones do, with fewer calls than they: each is tried as the first one. */
function improve(
  all: readonly Candidate[],
  chosen: readonly Candidate[],
  options: PlanOptions,
): readonly Candidate[] {
  let best = chosen;
  let first: readonly Candidate[] = [];
  for (const one of all) {
    if (one.cost.calls < 2 || best.includes(one) || exceeds([...first, one], options)) continue;
    const other = choose(all, [...first, one], options);
    if (shownIn(other) <= shownIn(best)) continue;
    best = other;
    first = [...first, one];
  }
  // What others show too makes room.
  for (const one of best) {
    const others = (from: readonly Candidate[]) => from.filter((each) => each !== one);
    const other = choose(others(all), others(best), options);
    if (shownIn(other) > shownIn(best)) best = other;
  }
  return best;
}

function exceeds(chosen: readonly Candidate[], options: PlanOptions): boolean {
  return whatIsExceeded(costOf(chosen, options), options.budget) !== undefined;
}

function shownIn(chosen: readonly Candidate[]): number {
  const worth = new Map<string, number>();
  for (const { shown } of chosen)
    for (const [name, weight] of shown) worth.set(name, Math.max(weight, worth.get(name) ?? 0));
  return [...worth.values()].reduce((sum, weight) => sum + (weight > littleWorth ? weight : 0), 0);
}

function costOf(chosen: readonly Candidate[], { spent = noCost }: PlanOptions): Cost {
  return chosen.map(({ cost }) => cost).reduce(addCosts, spent);
}

interface Candidate {
  readonly scenario: Scenario;
  /** With the steps that the profile allows. */
  readonly fitting: Scenario;
  readonly cost: Cost;
  readonly shown: ReadonlyMap<string, number>;
}

function whyNot(
  scenario: Scenario,
  steps: readonly Step[],
  { only, readOnly }: PlanOptions,
): string | undefined {
  if (!isWanted(scenario, only)) return 'it was not among those of --only';
  if (readOnly && scenario.writes === true) return 'it changes voice models, and the run was --read-only';
  return steps.length === 0 ? 'it needs a server with state, and the profile was stateless' : undefined;
}

function worthOf({ shown, cost }: Candidate, seen: ReadonlySet<string>): number {
  const sum = [...shown].reduce((all, [name, weight]) => all + (seen.has(name) ? 0 : weight), 0);
  return sum / Math.max(1, cost.calls);
}

function isWanted({ name }: Scenario, only: readonly string[] | undefined): boolean {
  if (only === undefined || only.length === 0) return true;
  return only.some((wanted) =>
    wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted,
  );
}

/** Refusals that come from what a server knows and not from the request alone. */
const stateful = new Set([
  ...refusals.filter(({ stage }) => stage === 'work').map(({ id }) => id),
  ...['key-unknown', 'forbidden', 'concurrency', 'credit'],
]);

function needsState(step: Step): boolean {
  const { expectation } = step;
  if (step.needsState !== undefined) return step.needsState;
  return expectation.outcome === 'refused' && expectation.refusals.every((id) => stateful.has(id));
}
