import fc from 'fast-check';
import type { CallStep } from '../step.ts';

/** A family of requests that a seed chooses from. */
export interface CaseFamily<Value> {
  /** Kebab-case, the beginning of the scenario's name. */
  readonly name: string;
  readonly about: string;
  readonly arbitrary: fc.Arbitrary<Value>;
  /** The request that a value stands for. */
  readonly toStep: (value: Value) => CallStep;
}

/** Whether a request is answered wrongly; undefined when it may not be sent any more. */
export type IsBroken = (step: CallStep) => Promise<boolean | undefined>;

/** A request chosen by a seed, and the way to a smaller one that is answered wrongly too. */
export interface GeneratedCase {
  readonly step: CallStep;
  /** Tries smaller and smaller requests. @returns the smallest that was answered wrongly, if there is a smaller one */
  readonly makeSmaller: (isBroken: IsBroken) => Promise<CallStep | undefined>;
}

/** The case of a family that a seed chooses: the same seed, the same request. */
export function chooseCase<Value>(family: CaseFamily<Value>, seed: number): GeneratedCase {
  const [value] = fc.sample(family.arbitrary, { seed, numRuns: 1 });
  if (value === undefined) throw new Error(`${family.name} has no values`);
  return {
    step: family.toStep(value),
    async makeSmaller(isBroken) {
      let first = true;
      const property = fc.asyncProperty(family.arbitrary, async (candidate) => {
        // The first is the request that was sent already: a POST is never sent twice.
        if (first) {
          first = false;
          return false;
        }
        return (await isBroken(family.toStep(candidate))) !== true;
      });
      const { counterexample, numShrinks } = await fc.check(property, { seed, numRuns: 1 });
      const smallest = counterexample?.[0];
      return numShrinks === 0 || smallest === null || smallest === undefined
        ? undefined
        : family.toStep(smallest);
    },
  };
}
