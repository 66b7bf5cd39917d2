import { refusals } from '@speech-api/types';
import type { Cost, Profile } from '../judge/report.ts';
import { addCosts, type Budget, costOfScenario, noCost, whatIsExceeded } from './budget.ts';
import { defaultRun } from './default-run.ts';
import type { Scenario, Step } from './step.ts';

/** Scenarios that a run plays and scenarios that it leaves out. */
export interface Plan {
  readonly chosen: readonly Scenario[];
  readonly cost: Cost;
  /** Scenarios that only need a larger budget come last. */
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  readonly scenario: Scenario;
  /** Description of the change that would let it run. */
  readonly reason: string;
}

interface PlanOptions {
  readonly budget: Budget;
  readonly profile: Profile;
  readonly readOnly: boolean;
  /** Names of scenarios, or beginnings of names that end in `*`; all when left out. */
  readonly only?: readonly string[];
  /** Cost so far. @defaultValue nothing */
  readonly spent?: Cost;
}

/** Takes what {@link defaultRun} names, then the others by their priority, each one that still fits the budget. */
export function makePlan(scenarios: readonly Scenario[], options: PlanOptions): Plan {
  const chosen: Scenario[] = [];
  const unwanted: LeftOut[] = [];
  const tooMuch: LeftOut[] = [];
  let cost = options.spent ?? noCost;
  for (const scenario of scenarios.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    const steps = scenario.steps.filter((step) => options.profile === 'full' || !needsState(step));
    const reason = whyNot(scenario, steps, options);
    const next = addCosts(cost, costOfScenario({ ...scenario, steps }));
    const exceeded = whatIsExceeded(next, options.budget);
    if (reason !== undefined) unwanted.push({ scenario, reason });
    else if (exceeded !== undefined) tooMuch.push({ scenario, reason: `it did not fit ${exceeded}` });
    else {
      chosen.push({ ...scenario, steps });
      cost = next;
    }
  }
  return { chosen, cost, leftOut: [...unwanted, ...tooMuch] };
}

/** Places of the list are below zero, priorities are not. */
function placeOf({ name, plannedAs = name, priority }: Scenario): number {
  const place = defaultRun.indexOf(plannedAs);
  return place < 0 ? priority : place - defaultRun.length;
}

function whyNot(
  { name, writes }: Scenario,
  steps: readonly Step[],
  { only = [], readOnly }: PlanOptions,
): string | undefined {
  if (only.length > 0 && !only.some((wanted) => isNamed(name, wanted)))
    return 'it was not among those of --only';
  if (readOnly && writes === true) return 'it changes voice models, and the run was --read-only';
  return steps.length === 0 ? 'it needs a server with state, and the profile was stateless' : undefined;
}

/** True if a name is the wanted one, or begins with what comes before its `*`. */
export function isNamed(name: string, wanted: string): boolean {
  return wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
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
