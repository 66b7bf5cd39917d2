import type { Cost } from '../judge/report.ts';
import type { LeftOut } from './plan.ts';
import {
  addCosts,
  type Budget,
  costOf,
  costOfScenario,
  noCost,
  type Scenario,
  type Step,
  whatIsExceeded,
} from './step.ts';

/** The part of the budget that a run may still spend on unplanned calls. */
interface Purse {
  /**
   * Sets the cost of steps aside, if the budget has room for it. What is still waiting may have to give its place,
   * from the end, where what is worth least is.
   */
  take(steps: readonly Step[], waiting?: Scenario[]): boolean;
  /** Scenarios that gave up their place. */
  readonly givenUp: readonly LeftOut[];
}

const reason = 'its calls were needed to ask again where a measurement left doubt';

/** @param planned what the plan will spend */
export function createPurse(planned: Cost, budget: Budget): Purse {
  let committed = planned;
  const givenUp: LeftOut[] = [];
  return {
    givenUp,
    take(steps, waiting = []) {
      const cost = steps.map(costOf).reduce(addCosts, noCost);
      const fits = (saved: Cost) =>
        whatIsExceeded(addCosts(addCosts(committed, cost), negative(saved)), budget) === undefined;
      let saved = noCost;
      let count = 0;
      for (; !fits(saved) && count < waiting.length; count += 1) {
        const last = waiting.at(-1 - count);
        if (last !== undefined) saved = addCosts(saved, costOfScenario(last));
      }
      if (!fits(saved)) return false;
      committed = addCosts(addCosts(committed, cost), negative(saved));
      if (count > 0) givenUp.push(...waiting.splice(-count).map((scenario) => ({ scenario, reason })));
      return true;
    },
  };
}

function negative({ calls, characters, audioSeconds }: Cost): Cost {
  return { calls: -calls, characters: -characters, audioSeconds: -audioSeconds };
}
