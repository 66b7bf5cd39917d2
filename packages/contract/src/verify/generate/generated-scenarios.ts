import type { Scenario } from '../step.ts';

/** Scenarios that a seed chooses, made from the schemas of the spec. */
export function generatedScenarios(_seed: number): readonly Scenario[] {
  return [];
}
