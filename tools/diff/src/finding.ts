/** Version increments that a change can require, smallest first. */
export const impacts = ['patch', 'minor', 'major'] as const;

/**
 * `major`: somebody who keeps the contract today breaks it tomorrow, or gets something else for the same call.
 * `minor`: there is more than before. `patch`: other words for the same thing.
 */
export type Impact = (typeof impacts)[number];

/** Whether one impact is at least as large as the other. */
export function isAtLeast(impact: Impact, minimum: Impact): boolean {
  return impacts.indexOf(impact) >= impacts.indexOf(minimum);
}

/** The impact that asks for the most; nothing when there is none. */
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
  /** The field, operation or entry that a line of the changelog has to name. */
  readonly subject: string;
  /** Audience that has to act, as the changelog names it: "Clients that send requests". */
  readonly audience: string;
  /** Action required of them, if it follows from the change itself. */
  readonly action?: string;
}

/** Something that keeps a change from shipping, and how to fix it. */
export interface Problem {
  readonly message: string;
  /** A command to run, or a thing to do. */
  readonly fix: string;
}
