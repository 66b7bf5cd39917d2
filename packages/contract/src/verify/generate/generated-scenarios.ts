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

/** Returns true if a request is answered wrongly; undefined if it may not be sent any more. */
type IsBroken = (step: CallStep) => Promise<boolean | undefined>;

/** Tries smaller and smaller requests. @returns the smallest that was answered wrongly, if there is a smaller one */
export type MakeSmaller = (isBroken: IsBroken) => Promise<CallStep | undefined>;

/** A scenario with one request that a seed chose, and the way to a smaller one that is answered wrongly too. */
export interface GeneratedScenario extends Scenario {
  readonly steps: readonly [CallStep];
  readonly makeSmaller: MakeSmaller;
}

/** How many cases each family has at most; how many of them are sent, the budget decides. */
const casesPerFamily = 12;

/** The first cases of a few families come before the last written scenarios, the others after all of them. */
const earlyFamilies = 2;

/** Scenarios that a seed chooses, made from the schemas of the spec. */
export function generatedScenarios(seed: number): readonly GeneratedScenario[] {
  return families().flatMap((family, place) =>
    Array.from({ length: casesPerFamily }, (_none, index): GeneratedScenario => {
      // Neighbouring seeds would share cases if the index were simply added.
      const { step: chosen, makeSmaller } = chooseCase(family, seed * 1_000_003 + (place + 1) * 1009 + index);
      const step = { ...chosen, name: `${chosen.name} (case ${index + 1} of seed ${seed})` };
      const early = index === 0 && place < earlyFamilies;
      return {
        name: `${family.name}-${index + 1}`,
        about: family.about,
        priority: early ? 25 : 80 + index + (place + 1) / 100,
        steps: [step],
        makeSmaller,
        ...(step.operationId === 'createModel' && { writes: true }),
      };
    }),
  );
}

export function isGenerated(scenario: Scenario): scenario is GeneratedScenario {
  return 'makeSmaller' in scenario;
}

/** The case of a family that a seed chooses: the same seed, the same request. */
export function chooseCase({ name, steps }: CaseFamily, seed: number) {
  const [step] = fc.sample(steps, { seed, numRuns: 1 });
  if (step === undefined) throw new Error(`${name} has no values`);
  const makeSmaller: MakeSmaller = async (isBroken) => {
    let isFirst = true;
    const property = fc.asyncProperty(steps, async (candidate) => {
      // The first is the request that was sent already: a POST is never sent twice.
      const isSent = isFirst;
      isFirst = false;
      return !isSent && (await isBroken(candidate)) !== true;
    });
    const { counterexample, numShrinks } = await fc.check(property, { seed, numRuns: 1 });
    return numShrinks === 0 ? undefined : counterexample?.[0];
  };
  return { step, makeSmaller };
}
