import type { Impact } from './impact.ts';

/** Major, minor and patch of a version. */
export type Version = readonly [major: number, minor: number, patch: number];

/**
 * Reads a version of three numbers.
 *
 * @throws RangeError for anything else, a pre-release too: releases of the specification are compared by their numbers.
 */
export function parseVersion(text: string): Version {
  const match = /^(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (!match) throw new RangeError(`"${text}" is no version. Write three numbers, such as 1.2.0.`);
  return [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** Below zero when the first version is the older one, above when it is the newer one. */
export function compareVersions(first: string, second: string): number {
  const [a, b] = [parseVersion(first), parseVersion(second)];
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** The least version after `base` for a change of this impact. Below 1.0.0 too, what breaks needs a major version. */
export function nextVersion(base: string, impact: Impact): string {
  const [major, minor, patch] = parseVersion(base);
  if (impact === 'major') return `${major + 1}.0.0`;
  return impact === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
