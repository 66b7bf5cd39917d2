import { addCosts, noCost } from './budget.ts';
import { createMemory } from './memory.ts';
import type { Cost, Scenario, Step } from './step.ts';

/**
 * What a step costs when the server does all it is asked, also where it should refuse:
 * a server that does not notice what is wrong bills it like any other request.
 */
export function costOf(step: Step): Cost {
  return { calls: 1, characters: charactersOf(step), audioSeconds: 0, ...step.cost };
}

export function costOfScenario(scenario: Scenario): Cost {
  return scenario.steps.map(costOf).reduce(addCosts, noCost);
}

function charactersOf(step: Step): number {
  const pretend = createMemory((name) => `<${name}>`);
  if (step.kind === 'live') {
    return step
      .script(pretend)
      .reduce((sum, action) => sum + ('send' in action ? textIn(action.send) : 0), 0);
  }
  const { operationId } = step;
  if (operationId !== 'createSpeech' && operationId !== 'streamSpeechWithTimestamps') return 0;
  return textIn(step.call(pretend).fields);
}

function textIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = 'text' in value && typeof value.text === 'string' ? [...value.text].length : 0;
  return own + ('request' in value ? textIn(value.request) : 0);
}
