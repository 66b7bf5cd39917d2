import { readdirSync, readFileSync } from 'node:fs';

/** Part of the output of `npm run bench -- --json` that the site shows. */
interface Measurement {
  readonly rows: readonly {
    readonly id: string;
    readonly results: readonly {
      readonly variant?: string;
      readonly ours: number;
      readonly unit: string;
      readonly references: Readonly<Record<string, number>>;
    }[];
  }[];
}

/** The newest measurement that is kept in the repository; undefined when there is none. */
export function readMeasurement(): Measurement | undefined {
  const directory = new URL('measurements/', import.meta.resolve('@speech-api/bench/package.json'));
  const newest = readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .at(-1);
  return newest === undefined ? undefined : JSON.parse(readFileSync(new URL(newest, directory), 'utf8'));
}

/** A figure with the digits that count. */
export function sayFigure(value: number): string {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-GB').replaceAll(',', '\u00a0');
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/** A part of a README, under a heading of the second level. */
export interface ReadmeSection {
  readonly title: string;
  /** Markdown, without the heading. */
  readonly text: string;
}

export function readReadme(packageName: string, name = 'README.md'): readonly ReadmeSection[] {
  const file = new URL(name, import.meta.resolve(`${packageName}/package.json`));
  return splitSections(readFileSync(file, 'utf8'));
}

/** Splits Markdown at its second-level headings; lines in code blocks do not count as headings. */
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
