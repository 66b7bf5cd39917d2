import { readFileSync } from 'node:fs';

/**
 * The parts of a package's README, or of another of its documents, under headings of the second level, as Markdown;
 * lines in code blocks do not count as headings.
 */
export function readReadme(packageName: string, name = 'README.md') {
  const file = new URL(name, import.meta.resolve(`${packageName}/package.json`));
  const sections: { title: string; lines: string[] }[] = [];
  let fenced = false;
  for (const line of readFileSync(file, 'utf8')
    .replaceAll(/<!--[\s\S]*?-->\n*/g, '')
    .split('\n')) {
    if (line.startsWith('```')) fenced = !fenced;
    const [, title] = fenced ? [] : (/^## (.+)$/.exec(line) ?? []);
    if (title !== undefined) sections.push({ title, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ title, lines }) => ({ title, text: lines.join('\n').trim() }));
}
