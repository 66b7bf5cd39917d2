import fc from 'fast-check';
import type { CallStep, Scenario } from '../step.ts';
import { families } from './families.ts';

/** A family of requests that a seed chooses from. */
export interface CaseFamily {
  /** Kebab-case, the beginning of the scenario's name. */
  readonly name: string;
  readonly about: string;
  readonly steps: fc.Arbitrary<CallStep>;
}

/** Maximum number of cases of a family; how many of them are sent, the budget decides. */
const casesPerFamily = 12;

/** The first cases of a few families come before the last written scenarios, the others after all of them. */
const earlyFamilies = 2;

/** Scenarios with one request each that a seed chooses, made from the schemas of the spec. */
export function generatedScenarios(seed: number): readonly Scenario[] {
  return families().flatMap(({ name, about, steps }, place) =>
    Array.from({ length: casesPerFamily }, (_none, index): Scenario => {
      // Neighbouring seeds would share cases if the index were simply added.
      const [chosen] = fc.sample(steps, { seed: seed * 1_000_003 + (place + 1) * 1009 + index, numRuns: 1 });
      if (chosen === undefined) throw new Error(`${name} has no values`);
      const early = index === 0 && place < earlyFamilies;
      return {
        name: `${name}-${index + 1}`,
        about,
        priority: early ? 25 : 80 + index + (place + 1) / 100,
        steps: [{ ...chosen, name: `${chosen.name} (case ${index + 1} of seed ${seed})` }],
        ...(chosen.operationId === 'createModel' && { writes: true }),
      };
    }),
  );
}
