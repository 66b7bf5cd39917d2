import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('releases/', import.meta.resolve('@speech-api/spec/package.json'));

/** The versions of the specification that were released, the newest first; none before the first release. */
export const specVersions: readonly string[] = readdirSync(folder)
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
