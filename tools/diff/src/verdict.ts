import { checkEntry, type Entry } from './changelog.ts';
import { type Finding, greatest, type Impact, impacts, type Problem } from './finding.ts';

/** The answer to "may this change of the specification ship?". */
export interface Verdict {
  readonly ships: boolean;
  /** The release that it was compared with. */
  readonly base: string;
  /** The version that the change would ship as. */
  readonly version: string;
  /** Version increment that the changes require; absent if nothing changed. */
  readonly impact?: Impact;
  /** The lowest version as which they may ship. */
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
    const kind = { major: 'is breaking', minor: 'adds something', patch: 'changes wording' };
    problems.push({
      message:
        impact === undefined
          ? `The version ${version} is older than the release ${base}.`
          : `The change ${kind[impact]}, so ${version} is too low a version after ${base}.`,
      fix: `Set the version in spec/package.json to ${leastVersion}, or take the change back.`,
    });
  }
  // For a version that is too low, the entry would be searched under the wrong heading.
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

const headings = { major: 'Breaking', minor: 'Additions', patch: 'Wording' };

/** A verdict for people: changes by impact, then the reasons against shipping. */
export function report({ base, version, findings, problems, impact }: Verdict): string {
  const blocks = impacts.toReversed().flatMap((kind) => {
    const some = findings.filter((finding) => finding.impact === kind);
    return some.length === 0
      ? []
      : [`${headings[kind]} (${kind}, ${some.length})\n${list(some, kind === 'patch')}`];
  });
  const subject = `The specification ${version} against the release ${base}`;
  if (findings.length === 0) blocks.push(`${subject}: nothing changed.\n`);
  else blocks.unshift(`${subject}: ${findings.length} changes.\n`);
  if (problems.length > 0) {
    blocks.push(
      `May not ship:\n${problems.map(({ message, fix }) => `  ${message}\n    Fix: ${fix}\n`).join('')}`,
    );
  } else if (impact !== undefined) blocks.push(`May ship as ${version}.\n`);
  return blocks.join('\n');
}

function list(findings: readonly Finding[], isShort: boolean): string {
  const shown = isShort ? findings.slice(0, 10) : findings;
  const more = findings.length - shown.length;
  const lines = shown.map(({ message, place, rule }) => `  ${message}\n    ${place}   ${rule}\n`);
  return lines.join('') + (more > 0 ? `  and ${more} more; --json lists all\n` : '');
}

/**
 * Reads a version of three numbers.
 *
 * @throws RangeError for anything else, a pre-release too: releases of the specification are compared by their numbers.
 */
function parseVersion(text: string): readonly [major: number, minor: number, patch: number] {
  const match = /^(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (!match) throw new RangeError(`"${text}" is not a version. Write three numbers, such as 1.2.0.`);
  return [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** Negative if the first version is older, positive if it is newer. */
export function compareVersions(first: string, second: string): number {
  const [a, b] = [parseVersion(first), parseVersion(second)];
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** The lowest version after `base` for a change of this impact. Breaking changes need a major version even below 1.0.0. */
export function nextVersion(base: string, impact: Impact): string {
  const [major, minor, patch] = parseVersion(base);
  if (impact === 'major') return `${major + 1}.0.0`;
  return impact === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
