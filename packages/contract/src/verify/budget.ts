import type { Cost } from './step.ts';

/** What a run may spend at most. */
export type Budget = Cost;

/** A run without options stays within these on any server. */
export const defaultBudget: Budget = { calls: 60, characters: 3000, audioSeconds: 60 };

/** What `--thorough` may spend. */
export const thoroughBudget: Budget = { calls: 400, characters: 20_000, audioSeconds: 300 };

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
