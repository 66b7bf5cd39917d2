import type { Impact } from '../impact.ts';
import { type Json, listOf } from '../json.ts';
import type { Direction } from './direction.ts';

/** What a rule says about a difference. */
export interface Rating {
  readonly rule: string;
  readonly impact: Impact;
  /** What happened, to be read behind the name of the thing: "has the default 0.5 instead of 0.7". */
  readonly words: string;
  readonly action?: string;
}

/** Where a difference is, as far as the rules need to know. */
export interface Surroundings {
  readonly directions: ReadonlySet<Direction>;
  /** Whether the values listed are only those known today: `x-open-enum`. */
  readonly isOpen: boolean;
}

/** The items of the first list that the second does not have. */
export function lost(before: Json | undefined, after: Json | undefined): Json[] {
  const kept = new Set(listOf(after));
  return listOf(before).filter((value) => !kept.has(value));
}
