import type { Finding } from './finding.ts';
import { impacts } from './impact.ts';
import type { Verdict } from './verdict.ts';

const headings = { major: 'Breaks somebody', minor: 'Adds something', patch: 'Other words' };

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
      `May not ship:\n${problems.map(({ message, mend }) => `  ${message}\n    Mend: ${mend}\n`).join('')}`,
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
