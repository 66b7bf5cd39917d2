import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { asObject, isObject, type Json, type JsonObject } from '@speech-api/spec/read';
import { compareVersions } from './verdict.ts';

/** Everything that others import from the specification, in one version. */
export interface Snapshot {
  /** Version of the package `@speech-api/spec`. */
  readonly version: string;
  /** The built OpenAPI 3.2 document, without what the build copies into it. */
  readonly openapi: JsonObject;
  /** The built AsyncAPI document. */
  readonly asyncapi: JsonObject;
  /** The data beside the documents: `rules`, `tolerances`, `unknowns`, `workflows`, and the digest of each of the `transcripts`. */
  readonly data: JsonObject;
}

/** Built files that are data, by the name that they have in a release. */
const dataFiles = ['rules', 'tolerances', 'unknowns', 'workflows'];

/** Folder of the specification in this repository, with a trailing slash. */
export const specificationFolder: string = fileURLToPath(
  new URL('.', import.meta.resolve('@speech-api/spec/package.json')),
);

/** The specification as it is built now. */
export function readBuilt(folder: string = specificationFolder): Snapshot {
  const { version } = readObject(`${folder}package.json`);
  if (typeof version !== 'string') throw new TypeError('spec/package.json has no version.');
  return {
    version,
    openapi: asObject(withoutCopies(readObject(`${folder}dist/openapi.json`))),
    asyncapi: asObject(withoutCopies(readObject(`${folder}dist/asyncapi.json`))),
    data: {
      ...Object.fromEntries(dataFiles.map((name) => [name, readJson(`${folder}dist/${name}.json`)])),
      transcripts: digestsOf(readObject(`${folder}dist/transcripts.json`)),
    },
  };
}

/** Members that the build copies into the documents: the gate compares their sources instead, except for samples. */
const copies = ['x-codeSamples', 'x-rules', 'x-specification-version'];

function withoutCopies(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutCopies);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([name]) => !copies.includes(name));
  return Object.fromEntries(fields.map(([name, item]) => [name, withoutCopies(item)]));
}

/** Transcripts are mostly audio, so a release only keeps their digests, which also show a change. */
function digestsOf(transcripts: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(transcripts).map(([name, lines]) => [
      name,
      createHash('sha256').update(JSON.stringify(lines)).digest('hex'),
    ]),
  );
}

function readJson(path: string): Json {
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'));
  const build = 'npx turbo run build --filter=@speech-api/spec';
  throw new Error(`${path} is missing. Build the specification: ${build}`);
}

function readObject(path: string): JsonObject {
  const value = readJson(path);
  if (isObject(value)) return value;
  throw new TypeError(`${path} is no object.`);
}

// A release is one file: the built OpenAPI document, which every tool of the field can read and compare, and under
// `x-release` the data beside the document.

const folder = `${specificationFolder}releases/`;

/**
 * Reads the file of a release.
 *
 * @throws Error If the file is not a release, or its name is not its version.
 */
export function readRelease(path: string): Snapshot {
  const document: JsonObject = JSON.parse(readFileSync(path, 'utf8'));
  const { 'x-release': release, ...openapi } = document;
  const { version, asyncapi, ...data } = asObject(release);
  if (typeof version !== 'string' || !isObject(asyncapi) || basename(path) !== `${version}.json`) {
    throw new Error(`${path} is not the release that its name says.`);
  }
  return { version, openapi, asyncapi, data };
}

/** The newest release, or nothing before the first one. */
export function newestRelease(directory: string = folder): Snapshot | undefined {
  const files = existsSync(directory) ? readdirSync(directory) : [];
  const versions = files.map((file) => basename(file, '.json')).sort(compareVersions);
  return versions.length === 0 ? undefined : readRelease(`${directory}${versions.at(-1)}.json`);
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
    if (isDeepStrictEqual(JSON.parse(readFileSync(path, 'utf8')), document)) return undefined;
    throw new Error(
      `There is a release ${version} already, and it differs. Raise the version in spec/package.json; a release is never rewritten.`,
    );
  }
  mkdirSync(directory, { recursive: true });
  writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`);
  return path;
}
