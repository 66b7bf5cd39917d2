/** What a change asks of the version, from the least to the most. */
export const impacts = ['patch', 'minor', 'major'] as const;

/**
 * `major`: somebody who keeps the contract today breaks it tomorrow, or gets something else for the same call.
 * `minor`: there is more than before. `patch`: other words for the same thing.
 */
export type Impact = (typeof impacts)[number];

/** Whether one impact asks for at least as much as the other. */
export function isAtLeast(impact: Impact, other: Impact): boolean {
  return impacts.indexOf(impact) >= impacts.indexOf(other);
}

/** The impact that asks for the most; nothing when there is none. */
export function greatest(all: readonly Impact[]): Impact | undefined {
  return impacts.findLast((impact) => all.includes(impact));
}
