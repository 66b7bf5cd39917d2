import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isObject, isSame, type JsonObject } from './json.ts';
import { type Snapshot, specificationFolder } from './snapshot.ts';
import { compareVersions } from './version.ts';

// A release is one file: the built OpenAPI document, which every tool of the field can read and compare, and under
// `x-release` what stands beside the document.

const folder = `${specificationFolder}releases/`;

/** The versions that were released, the newest first. */
export function releasedVersions(directory: string = folder): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
    .sort((first, second) => compareVersions(second, first));
}

/**
 * Reads the file of a release.
 *
 * @throws Error When the file is no release, or its name is not its version.
 */
export function readRelease(path: string): Snapshot {
  const document: JsonObject = JSON.parse(readFileSync(path, 'utf8'));
  const { 'x-release': release, ...openapi } = document;
  if (!isObject(release) || typeof release.version !== 'string' || !isObject(release.asyncapi)) {
    throw new Error(`${path} is no release: x-release holds no version and AsyncAPI document.`);
  }
  const { version, asyncapi, ...data } = release;
  if (typeof version !== 'string' || !isObject(asyncapi)) throw new Error(`${path} is no release.`);
  if (basename(path) !== `${version}.json`) {
    throw new Error(`${path} says that it is the release ${version}. A release is not renamed.`);
  }
  return { version, openapi, asyncapi, data };
}

/** The newest release, or nothing before the first one. */
export function newestRelease(directory: string = folder): Snapshot | undefined {
  const [version] = releasedVersions(directory);
  return version === undefined ? undefined : readRelease(`${directory}${version}.json`);
}

/**
 * Writes the file of a release.
 *
 * @returns The path of the file, or nothing when the same release was written before.
 * @throws Error When there is another release of this version: what was released stays as it was.
 */
export function writeRelease(snapshot: Snapshot, directory: string = folder): string | undefined {
  const { version, openapi, asyncapi, data } = snapshot;
  const path = `${directory}${version}.json`;
  const document: JsonObject = { ...openapi, 'x-release': { version, asyncapi, ...data } };
  if (existsSync(path)) {
    if (isSame(JSON.parse(readFileSync(path, 'utf8')), document)) return undefined;
    throw new Error(
      `There is a release ${version} already, and it differs. Raise the version in spec/package.json; a release is never rewritten.`,
    );
  }
  mkdirSync(directory, { recursive: true });
  writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`);
  return path;
}
