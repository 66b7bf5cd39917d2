import { checkEntry, type Entry } from './changelog.ts';

/** Version increments that a change can require, smallest first. */
export const impacts = ['patch', 'minor', 'major'] as const;

/**
 * `major`: somebody who keeps the contract today breaks it tomorrow, or gets something else for the same call.
 * `minor`: there is more than before. `patch`: other words for the same thing.
 */
export type Impact = (typeof impacts)[number];

/** Whether one impact is at least as large as the other. */
export function isAtLeast(impact: Impact, other: Impact): boolean {
  return impacts.indexOf(impact) >= impacts.indexOf(other);
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

/** The answer to "may this change of the specification ship?". */
export interface Verdict {
  readonly ships: boolean;
  /** The release it was compared with. */
  readonly base: string;
  /** The version that the change would ship as. */
  readonly version: string;
  /** Version increment that the changes require; absent if nothing changed. */
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
    const kind = { major: 'is breaking', minor: 'adds something', patch: 'changes wording' };
    problems.push({
      message:
        impact === undefined
          ? `The version ${version} is older than the release ${base}.`
          : `The change ${kind[impact]}, so ${version} is too low a version after ${base}.`,
      fix: `Set the version in spec/package.json to ${leastVersion}, or take the change back.`,
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

const headings = { major: 'Breaking', minor: 'Additions', patch: 'Wording' };

/** A verdict for a person: the changes by what they ask for, then what keeps them from shipping. */
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
