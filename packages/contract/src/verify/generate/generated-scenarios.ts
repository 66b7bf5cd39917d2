import type { Scenario } from '../step.ts';
import { chooseCase, type GeneratedCase } from './case.ts';
import { eachFamily } from './families.ts';

/** A scenario with one request that a seed chose. */
export interface GeneratedScenario extends Scenario {
  readonly generated: GeneratedCase;
}

/** How many cases each family has at most; how many of them are sent, the budget decides. */
const casesPerFamily = 12;

/** The first cases of a few families come before the last written scenarios, the others after all of them. */
const earlyFamilies = 2;

/** Scenarios that a seed chooses, made from the schemas of the spec. */
export function generatedScenarios(seed: number): readonly GeneratedScenario[] {
  let place = 0;
  return eachFamily((family) => {
    place += 1;
    const familyPlace = place;
    return Array.from({ length: casesPerFamily }, (_none, index): GeneratedScenario => {
      // Neighbouring seeds would share cases if the index were simply added.
      const generated = chooseCase(family, seed * 1_000_003 + familyPlace * 1009 + index);
      const step = { ...generated.step, name: `${generated.step.name} (case ${index + 1} of seed ${seed})` };
      const early = index === 0 && familyPlace <= earlyFamilies;
      return {
        name: `${family.name}-${index + 1}`,
        about: family.about,
        priority: early ? 25 : 80 + index + familyPlace / 100,
        steps: [step],
        generated: { ...generated, step },
        ...(step.operationId === 'createModel' && { writes: true }),
      };
    });
  }).flat();
}

export function isGenerated(scenario: Scenario): scenario is GeneratedScenario {
  return 'generated' in scenario;
}
