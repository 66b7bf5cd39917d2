import { operationTable } from '@speech-api/types';
import { describe, expect, test } from 'vitest';
import { coveredBy } from './not-tried.ts';
import { makePlan } from './plan.ts';
import { refused, speak } from './scenarios/making.ts';
import { costOfScenario, defaultBudget, noCost, type Scenario, thoroughBudget } from './step.ts';
import { planFor, scenariosFor } from './verify.ts';

const scenario = (
  name: string,
  priority: number,
  calls: number,
  changes: Partial<Scenario> = {},
): Scenario => ({
  name,
  about: name,
  priority,
  steps: Array.from({ length: calls }, (_none, index) => speak(`${name} ${index}`, { text: 'abc' })),
  ...changes,
});
const options = {
  budget: { calls: 5, characters: 1000, audioSeconds: 0 },
  profile: 'full',
  readOnly: false,
} as const;

describe('a plan', () => {
  test('takes what matters most first, and a smaller one where a larger one does not fit', () => {
    const plan = makePlan(
      [scenario('third', 3, 1), scenario('second', 2, 4), scenario('first', 1, 4)],
      options,
    );
    expect(plan.chosen.map(({ name }) => name)).toEqual(['first', 'third']);
    expect(plan.cost).toEqual({ calls: 5, characters: 15, audioSeconds: 0 });
    expect(plan.leftOut).toEqual([expect.objectContaining({ reason: 'it did not fit --max-calls 5' })]);
  });

  test('keeps to the limit of characters, also for requests that should be refused', () => {
    const long = scenario('long', 1, 0, {
      steps: [
        speak(
          'long',
          { text: '声'.repeat(1001) },
          { expectation: refused('it is too long', 'text-too-long') },
        ),
      ],
    });
    expect(makePlan([long], options).leftOut[0]?.reason).toBe('it did not fit --max-characters 1000');
  });

  test('leaves out what changes something when it may only read', () => {
    const plan = makePlan([scenario('writer', 1, 1, { writes: true })], { ...options, readOnly: true });
    expect(plan.chosen).toEqual([]);
    expect(plan.leftOut[0]?.reason).toMatch(/--read-only/);
  });

  test('spares a server without state what only state can answer', () => {
    const stateful = speak(
      'stateful',
      { text: 'a' },
      { expectation: refused('nobody knows it', 'unknown-voice') },
    );
    const mixed = scenario('mixed', 1, 1);
    const plan = makePlan([{ ...mixed, steps: [...mixed.steps, stateful] }], {
      ...options,
      profile: 'stateless',
    });
    expect(plan.chosen[0]?.steps).toHaveLength(1);
  });
});

describe('the default run', () => {
  const plan = planFor({});

  test('stays within its budget', () => {
    expect(plan.cost.calls).toBeLessThanOrEqual(defaultBudget.calls);
    expect(plan.cost.characters).toBeLessThanOrEqual(defaultBudget.characters);
    expect(plan.cost.audioSeconds).toBeLessThanOrEqual(defaultBudget.audioSeconds);
  });

  test('has every operation, every media type it takes and every one it answers with', () => {
    const seen = new Set(
      plan.chosen
        .flatMap(({ steps }) => steps.filter(({ expectation }) => expectation.outcome === 'success'))
        .flatMap((step) => coveredBy(step, ''))
        .map(({ operationId, what, mediaType = '' }) => `${operationId} ${what} ${mediaType}`),
    );
    const wanted = Object.entries(operationTable).flatMap(([id, operation]) => [
      `${id} operation `,
      ...operation.requestMediaTypes.map((mediaType) => `${id} request-media-type ${mediaType}`),
      ...operation.responseMediaTypes.map((mediaType) => `${id} response-media-type ${mediaType}`),
    ]);
    expect(wanted.filter((entry) => !seen.has(entry))).toEqual([]);
  });

  test('breaks every rule of a synthesis request but the one on very long texts', () => {
    const left = plan.leftOut.filter(({ scenario: { name } }) => name.startsWith('rule-'));
    expect(left.map(({ scenario: { name } }) => name)).toEqual(['rule-text-length']);
  });
});

describe('all scenarios', () => {
  const all = scenariosFor(7);

  test('have names of their own, and so have their steps', () => {
    for (const names of [
      all.map(({ name }) => name),
      all.flatMap(({ steps }) => steps.map(({ name }) => name)),
    ]) {
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });

  test('fit a thorough run, but for a text and a recording that are longer than any', () => {
    const plan = planFor({ budget: thoroughBudget, seed: 7 });
    expect(plan.leftOut.map(({ scenario: { name } }) => name)).toEqual([
      'rule-text-length',
      'transcription-longest',
    ]);
  });

  test('cost something each', () => {
    for (const each of all) expect(costOfScenario(each)).not.toEqual(noCost);
  });
});
