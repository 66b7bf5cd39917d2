import type { Cost } from '../judge/report.ts';
import type { LeftOut } from './plan.ts';
import { pretended, type Scenario, type Step } from './step.ts';

/**
 * Cost of a step if the server does all it is asked, even where it should refuse: a server that does not
 * notice what is wrong bills it like any other request.
 */
export function costOf(step: Step): Cost {
  return { calls: 1, characters: charactersOf(step), audioSeconds: 0, ...step.cost };
}

export function costOfScenario(scenario: Scenario): Cost {
  return scenario.steps.map(costOf).reduce(addCosts, noCost);
}

function charactersOf(step: Step): number {
  if (step.kind === 'live') {
    const actions = step.script(pretended);
    return actions.reduce((sum, action) => sum + ('send' in action ? textIn(action.send) : 0), 0);
  }
  const { operationId } = step;
  if (operationId !== 'createSpeech' && operationId !== 'streamSpeechWithTimestamps') return 0;
  return textIn(step.call(pretended).fields);
}

function textIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = 'text' in value && typeof value.text === 'string' ? [...value.text].length : 0;
  return own + ('request' in value ? textIn(value.request) : 0);
}

/** Maximum cost of a run. */
export type Budget = Cost;

/** Budget of `--thorough`. */
export const thoroughBudget: Budget = { calls: 420, characters: 20_000, audioSeconds: 300 };

export const noCost: Cost = { calls: 0, characters: 0, audioSeconds: 0 };

export function addCosts(first: Cost, second: Cost): Cost {
  return {
    calls: first.calls + second.calls,
    characters: first.characters + second.characters,
    audioSeconds: first.audioSeconds + second.audioSeconds,
  };
}

/** Names what would be exceeded, for people; nothing when it fits. */
export function whatIsExceeded(cost: Cost, budget: Budget): string | undefined {
  if (cost.calls > budget.calls) return `--max-calls ${budget.calls}`;
  if (cost.characters > budget.characters) return `--max-characters ${budget.characters}`;
  if (cost.audioSeconds > budget.audioSeconds) return `--max-audio-seconds ${budget.audioSeconds}`;
  return undefined;
}

/** The first cost, with another one taken off it. */
function lessBy(cost: Cost, { calls, characters, audioSeconds }: Cost): Cost {
  return addCosts(cost, { calls: -calls, characters: -characters, audioSeconds: -audioSeconds });
}

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
      let next = addCosts(committed, cost);
      let kept = waiting.length;
      for (const scenario of waiting.toReversed()) {
        if (whatIsExceeded(next, budget) === undefined) break;
        next = lessBy(next, costOfScenario(scenario));
        kept -= 1;
      }
      if (whatIsExceeded(next, budget) !== undefined) return false;
      committed = next;
      givenUp.push(...waiting.splice(kept).map((scenario) => ({ scenario, reason })));
      return true;
    },
  };
}
