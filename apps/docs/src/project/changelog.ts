import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { splitSections } from './read-readme.ts';

/** What a version of a package changed. */
export interface Release {
  readonly package: string;
  readonly version: string;
  readonly anchor: string;
  /** Markdown: each line says who has to do what. */
  readonly text: string;
}

/** The versions of the specification and of every package that keeps a changelog, the specification first. */
export function readReleases(packages: readonly string[]): readonly Release[] {
  return ['@speech-api/spec', ...packages].flatMap((name) => {
    const file = fileURLToPath(new URL('CHANGELOG.md', import.meta.resolve(`${name}/package.json`)));
    if (!existsSync(file)) return [];
    const short = name.replace(/^@[^/]+\//, '');
    return splitSections(readFileSync(file, 'utf8')).map(({ title, text }) => ({
      package: name,
      version: title,
      anchor: `${short}-${title.replaceAll(/[^\w.-]+/g, '-')}`,
      text,
    }));
  });
}
