import type { Verdict } from './measure.ts';
import { type Kind, kinds, type Mutant } from './mutant.ts';

/** What a verdict comes to. */
export type Outcome = 'caught' | 'wrong rule' | 'survived' | 'not applied' | 'failed';

/** Whether a mutant was caught, by the right name. One that changed nothing shows nothing, whatever was found. */
export function outcomeOf({ mutant, changes, failures, rules }: Verdict): Outcome {
  if (failures.length > 0) return 'failed';
  if (changes === 0) return 'not applied';
  if (rules.length === 0) return 'survived';
  return mutant.rules.some((rule) => rules.includes(rule)) ? 'caught' : 'wrong rule';
}

/** How many mutants of a kind were caught, of how many. */
export interface KindScore {
  readonly kind: Kind;
  readonly caught: number;
  readonly total: number;
}

/** The score of a run. */
export interface Score {
  readonly byKind: readonly KindScore[];
  readonly caught: number;
  readonly total: number;
  /** Those that were not caught, and why, in words: `getModel: title dropped: survived`. */
  readonly uncaught: readonly {
    readonly id: string;
    readonly outcome: Outcome;
    readonly rules: readonly string[];
  }[];
}

/** Adds up verdicts. */
export function scoreOf(verdicts: readonly Verdict[]): Score {
  const isCaught = (verdict: Verdict) => outcomeOf(verdict) === 'caught';
  const byKind = kinds.map((kind) => {
    const ofKind = verdicts.filter(({ mutant }) => mutant.kind === kind);
    return { kind, caught: ofKind.filter(isCaught).length, total: ofKind.length };
  });
  return {
    byKind: byKind.filter(({ total }) => total > 0),
    caught: verdicts.filter(isCaught).length,
    total: verdicts.length,
    uncaught: verdicts
      .filter((verdict) => !isCaught(verdict))
      .map((verdict) => ({ id: verdict.mutant.id, outcome: outcomeOf(verdict), rules: verdict.rules })),
  };
}

/** How many mutants there are of each kind: what a table says that is not measured. */
export function countByKind(mutants: readonly Mutant[]): ReadonlyMap<Kind, number> {
  return new Map(kinds.map((kind) => [kind, mutants.filter((mutant) => mutant.kind === kind).length]));
}
