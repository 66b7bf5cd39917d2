import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { splitSections } from './project.ts';

/** The versions of the specification and of every package that keeps a changelog, the specification first. */
export function readReleases(packages: readonly string[]) {
  return ['@speech-api/spec', ...packages].flatMap((name) => {
    const file = fileURLToPath(new URL('CHANGELOG.md', import.meta.resolve(`${name}/package.json`)));
    return existsSync(file) ? releasesIn(name, readFileSync(file, 'utf8')) : [];
  });
}

/** The versions of one changelog. A heading is `## 1.2.0`, as pnpm writes it, or `## 1.2.0 (2026-11-22)`. */
export function releasesIn(name: string, changelog: string) {
  return splitSections(changelog).flatMap(({ title, text }) => {
    const [, version, date] = /^(\d[\w.-]*)(?: \((.+)\))?$/.exec(title) ?? [];
    // Readers cannot have what is under "Unreleased".
    if (version === undefined) return [];
    return [{ package: name, version, date, anchor: `${name.replace(/^@[^/]+\//, '')}-${version}`, text }];
  });
}

const folder = new URL('releases/', import.meta.resolve('@speech-api/spec/package.json'));

/** The versions of the specification that were released, the newest first; none before the first release. */
export const specVersions: readonly string[] = (existsSync(folder) ? readdirSync(folder) : [])
  .map((file) => file.replace(/\.json$/, ''))
  .sort((left, right) => right.localeCompare(left, 'en', { numeric: true }));

/** The address of a released specification, below the root of the site. */
export function releaseFile(version: string): string {
  return `releases/${version}.json`;
}

/** The OpenAPI document of each release as it was published, by its address. */
export function releaseFiles(): Readonly<Record<string, () => string>> {
  return Object.fromEntries(
    specVersions.map((version) => [
      releaseFile(version),
      () => readFileSync(new URL(`${version}.json`, folder), 'utf8'),
    ]),
  );
}
