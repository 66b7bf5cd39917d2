import type { Json } from '@speech-api/spec/read';

/** Version increments that a change can require, smallest first. */
export const impacts = ['patch', 'minor', 'major'] as const;

/**
 * `major`: a correct caller or server breaks, or gets something else for the same call. `minor`: something was
 * added. `patch`: only the wording changed.
 */
export type Impact = (typeof impacts)[number];

/** The gravest impact; undefined if there is none. */
export function greatest(all: readonly Impact[]): Impact | undefined {
  return impacts.findLast((impact) => all.includes(impact));
}

/** One change between two versions of the specification, rated. */
export interface Finding {
  /** Name of the rule that rates it; `redocly/...` are those of redocly diff. */
  readonly rule: string;
  readonly impact: Impact;
  /** Location: the built file, and a JSON pointer or the id of an entry in it. */
  readonly place: string;
  /** The change in one sentence. */
  readonly message: string;
  /** The field, operation or entry that the changelog line must name. */
  readonly subject: string;
  /** Audience that has to act, as the changelog names it: "Clients that send requests". */
  readonly audience: string;
  /** The required action, if it follows from the change itself. */
  readonly action?: string;
}

/** A reason why a change cannot ship, and its remedy. */
export interface Problem {
  readonly message: string;
  /** A command to run or an action to take. */
  readonly fix: string;
}

/** A short form of a value on one line, for a sentence. */
export function inWords(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
