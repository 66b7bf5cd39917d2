import type { Entry } from './changelog/changelog.ts';
import { checkEntry } from './changelog/check-entry.ts';
import type { Finding } from './finding.ts';
import { greatest, type Impact } from './impact.ts';
import { compareVersions, nextVersion } from './version.ts';

/** Something that keeps a change from shipping, and what mends it. */
export interface Problem {
  readonly message: string;
  /** A command to run, or a thing to do. */
  readonly mend: string;
}

/** The answer to "may this change of the specification ship?". */
export interface Verdict {
  readonly ships: boolean;
  /** The release it was compared with. */
  readonly base: string;
  /** The version that the change would ship as. */
  readonly version: string;
  /** What the changes ask of the version; absent when nothing changed. */
  readonly impact?: Impact;
  /** The least version that they may ship as. */
  readonly leastVersion: string;
  readonly findings: readonly Finding[];
  readonly problems: readonly Problem[];
}

/** Judges changes by the version and the changelog that come with them. */
export function judge(
  base: string,
  version: string,
  findings: readonly Finding[],
  changelog: ReadonlyMap<string, Entry>,
): Verdict {
  const impact = greatest(findings.map((finding) => finding.impact));
  const leastVersion = impact === undefined ? base : nextVersion(base, impact);
  const problems: Problem[] = [];
  if (compareVersions(version, leastVersion) < 0) {
    const kind = { major: 'breaks somebody', minor: 'adds something', patch: 'changes words' };
    problems.push({
      message:
        impact === undefined
          ? `The version ${version} is older than the release ${base}.`
          : `The change ${kind[impact]}, so ${version} is too low a version after ${base}.`,
      mend: `Set the version in spec/package.json to ${leastVersion}, or take the change back.`,
    });
  }
  // The entry of a version that is too low would be looked for under the wrong heading.
  if (problems.length === 0 && compareVersions(version, base) > 0) {
    problems.push(...checkEntry(version, changelog.get(version), findings));
  }
  return {
    ships: problems.length === 0,
    base,
    version,
    ...(impact !== undefined && { impact }),
    leastVersion,
    findings,
    problems,
  };
}
