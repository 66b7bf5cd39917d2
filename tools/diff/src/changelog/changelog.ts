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
    // A line that goes on is indented under its bullet.
    else if (/^ {2}\S/.test(line) && open.length > 0) open.push(`${open.pop()} ${line.trim()}`);
  }
  return entries;
}

/** Puts lines under the heading of a version, which is made above all others when there is none. */
export function addToChangelog(text: string, version: string, lines: readonly string[]): string {
  const list = lines.map((line) => `- ${line}\n`).join('');
  const heading = `## ${version}\n`;
  const known = text.indexOf(`\n${heading}`);
  if (known >= 0) {
    const end = text.indexOf('\n## ', known + heading.length);
    const [before, after] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end)];
    return `${before.trimEnd()}\n${list}${after}`;
  }
  const first = text.search(/^## /m);
  const [before, after] = first < 0 ? [text, ''] : [text.slice(0, first), text.slice(first)];
  return `${before.trimEnd()}\n\n${heading}\n${list}${after === '' ? '' : `\n${after}`}`;
}
