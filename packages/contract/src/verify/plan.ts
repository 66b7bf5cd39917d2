import { refusals } from '@speech-api/types';
import type { Profile } from '../judge/report.ts';
import {
  addCosts,
  type Budget,
  type Cost,
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

/** Takes scenarios in the order of their priority for as long as they fit; a smaller one may fit where a larger one did not. */
export function makePlan(scenarios: readonly Scenario[], options: PlanOptions): Plan {
  const chosen: Scenario[] = [];
  const leftOut: LeftOut[] = [];
  let cost = options.spent ?? noCost;
  for (const scenario of [...scenarios].sort((first, second) => first.priority - second.priority)) {
    if (!isWanted(scenario, options.only)) {
      leftOut.push({ scenario, reason: 'it was not among those of --only' });
      continue;
    }
    const fitting = {
      ...scenario,
      steps: scenario.steps.filter((step) => options.profile === 'full' || !needsState(step)),
    };
    if (scenario.notPlayed !== undefined) leftOut.push({ scenario, reason: scenario.notPlayed });
    else if (options.readOnly && scenario.writes === true) {
      leftOut.push({ scenario, reason: 'it changes voice models, and the run was --read-only' });
    } else if (fitting.steps.length === 0) {
      leftOut.push({ scenario, reason: 'it needs a server with state, and the profile was stateless' });
    } else {
      const next = addCosts(cost, costOfScenario(fitting));
      const exceeded = whatIsExceeded(next, options.budget);
      if (exceeded === undefined) {
        chosen.push(fitting);
        cost = next;
      } else leftOut.push({ scenario, reason: `it did not fit ${exceeded}` });
    }
  }
  return { chosen, cost, leftOut };
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
