import { readFileSync } from 'node:fs';

/** A part of a README, under a heading of the second level. */
export interface ReadmeSection {
  readonly title: string;
  /** Markdown, without the heading. */
  readonly text: string;
}

/** The parts of the README of a package, in their order. */
export function readReadme(packageName: string): readonly ReadmeSection[] {
  const file = new URL('README.md', import.meta.resolve(`${packageName}/package.json`));
  return splitSections(readFileSync(file, 'utf8'));
}

/** Splits Markdown at its headings of the second level; a line in a block of code is no heading. */
export function splitSections(markdown: string): readonly ReadmeSection[] {
  const sections: { title: string; lines: string[] }[] = [];
  let fenced = false;
  for (const line of markdown.replaceAll(/<!--[\s\S]*?-->\n*/g, '').split('\n')) {
    if (line.startsWith('```')) fenced = !fenced;
    const [, title] = fenced ? [] : (/^## (.+)$/.exec(line) ?? []);
    if (title !== undefined) sections.push({ title, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ title, lines }) => ({ title, text: lines.join('\n').trim() }));
}
