import type { Finding, Problem } from './finding.ts';

/** The lines of one version in the changelog, without their bullets. */
export type Entry = readonly string[];

/** Reads a changelog: a heading of the second level a version, and below it a list. */
export function parseChangelog(text: string): ReadonlyMap<string, Entry> {
  const entries = new Map<string, string[]>();
  let open: string[] = [];
  for (const line of text.split('\n')) {
    const heading = /^## (\S+)/.exec(line);
    if (heading?.[1] !== undefined) {
      open = [];
      entries.set(heading[1], open);
    } else if (line.startsWith('- ')) open.push(line.slice(2).trim());
    // A continued line is indented under its bullet.
    else if (/^ {2}\S/.test(line) && open.length > 0) open.push(`${open.pop()} ${line.trim()}`);
  }
  return entries;
}

/** Adds lines under the heading of a version, which is created at the top if there is none. */
export function addToChangelog(text: string, version: string, lines: readonly string[]): string {
  const list = lines.map((line) => `- ${line}\n`).join('');
  const heading = `## ${version}\n`;
  const position = text.indexOf(`\n${heading}`);
  if (position >= 0) {
    const end = text.indexOf('\n## ', position + heading.length);
    const [entry, after] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end)];
    return `${entry.trimEnd()}\n${list}${after}`;
  }
  const first = text.search(/^## /m);
  const [before, after] = first < 0 ? [text, ''] : [text.slice(0, first), text.slice(first)];
  return `${before.trimEnd()}\n\n${heading}\n${list}${after === '' ? '' : `\n${after}`}`;
}

const draftCommand = 'npm run diff -- draft --write';

/** Problems with the entry of a version, given the changes that it must mention. */
export function checkEntry(
  version: string,
  entry: Entry | undefined,
  findings: readonly Finding[],
): Problem[] {
  if (!entry || entry.length === 0) {
    return [{ message: `spec/CHANGELOG.md has no entry "## ${version}".`, fix: draftCommand }];
  }
  const problems: Problem[] = [];
  for (const line of entry) {
    if (line.includes(draftMark)) {
      problems.push({
        message: `A line under "## ${version}" is still a draft: "${line}"`,
        fix: `Write in spec/CHANGELOG.md what they have to do instead of "${draftMark}".`,
      });
    } else if (!/^[A-Z][^:]*: .+[.!?]$/.test(line)) {
      problems.push({
        message: `A line under "## ${version}" does not say who has to do what: "${line}"`,
        fix: 'Write it as "Clients that send requests: send `temperature` up to 0.9." in spec/CHANGELOG.md.',
      });
    }
  }
  const breaking = findings.filter(({ impact }) => impact === 'major').map(({ subject }) => subject);
  for (const subject of new Set(breaking)) {
    if (!names(entry, subject)) {
      problems.push({
        message: `The entry "## ${version}" does not say what to do about \`${subject}\`, which is a breaking change.`,
        fix: draftCommand,
      });
    }
  }
  return problems;
}

/** A placeholder in a draft for an action that only a person can describe. The gate refuses it. */
export const draftMark = '(say what to do)';

const aboutWords = 'Everyone: nothing has to be done for what is only said in other words.';

/**
 * Lines of the changelog for changes, in the words "who: what to do". A subject that changed in several places has one
 * line, for the gravest of its changes.
 *
 * @param findings The changes, the gravest first.
 * @param entry What the changelog says already; changes whose subject it names are left out.
 */
export function draft(findings: readonly Finding[], entry: Entry = []): string[] {
  const bySubject = new Map(findings.toReversed().map((finding) => [finding.subject, finding]));
  const missing = findings.filter(
    (finding) => bySubject.get(finding.subject) === finding && !names(entry, finding.subject),
  );
  const lines = missing
    .filter(({ impact }) => impact !== 'patch')
    .map(({ audience, message, action, impact }) => {
      const what = impact === 'major' ? (action ?? draftMark) : 'you may use it, nothing has to be done';
      return `${audience}: ${what}. ${message}`;
    });
  const isWordsAlone = findings.some(({ impact }) => impact === 'patch') && [...lines, ...entry].length === 0;
  return isWordsAlone ? [aboutWords] : lines;
}

/** Whether an entry names the subject of a change as a separate word. */
export function names(entry: Entry, subject: string): boolean {
  const words = (line: string): string[] =>
    line.split(/[^\w./{}-]+/).map((word) => word.replace(/[.-]+$/, ''));
  return entry.some((line) => words(line).includes(subject));
}
