import type { Finding } from '../finding.ts';
import type { Problem } from '../verdict.ts';
import type { Entry } from './changelog.ts';
import { draftMark, names } from './draft.ts';

const draftCommand = 'npm run diff -- draft --write';

/** What is wrong with the entry of a version, given the changes that it has to tell of. */
export function checkEntry(
  version: string,
  entry: Entry | undefined,
  findings: readonly Finding[],
): Problem[] {
  if (!entry || entry.length === 0) {
    return [{ message: `spec/CHANGELOG.md says nothing under "## ${version}".`, mend: draftCommand }];
  }
  const problems: Problem[] = [];
  for (const line of entry) {
    if (line.includes(draftMark)) {
      problems.push({
        message: `A line under "## ${version}" is still a draft: "${line}"`,
        mend: `Write in spec/CHANGELOG.md what they have to do instead of "${draftMark}".`,
      });
    } else if (!/^[A-Z][^:]*: .+[.!?]$/.test(line)) {
      problems.push({
        message: `A line under "## ${version}" does not say who has to do what: "${line}"`,
        mend: 'Write it as "Who sends requests: send `temperature` up to 0.9." in spec/CHANGELOG.md.',
      });
    }
  }
  const breaking = findings.filter(({ impact }) => impact === 'major').map(({ subject }) => subject);
  for (const subject of new Set(breaking)) {
    if (!names(entry, subject)) {
      problems.push({
        message: `The entry "## ${version}" does not say what to do about \`${subject}\`, which breaks somebody.`,
        mend: draftCommand,
      });
    }
  }
  return problems;
}
