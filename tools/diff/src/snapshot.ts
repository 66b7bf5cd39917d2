import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isObject, type Json, type JsonObject, objectOf } from './json.ts';

/** Everything that others import from the specification, at one version. */
export interface Snapshot {
  /** Version of the package `@speech-api/spec`. */
  readonly version: string;
  /** The built OpenAPI 3.2 document. */
  readonly openapi: JsonObject;
  /** The built AsyncAPI document. */
  readonly asyncapi: JsonObject;
  /** The data beside the documents: `rules`, `tolerances`, `unknowns`, `workflows`, and the digest of each of the `transcripts`. */
  readonly data: JsonObject;
}

/** Built files that are data, by the name that they have in a release. */
const dataFiles = ['rules', 'tolerances', 'unknowns', 'workflows'];

/** Folder of the specification in this repository, with a slash at its end. */
export const specificationFolder: string = fileURLToPath(
  new URL('.', import.meta.resolve('@speech-api/spec/package.json')),
);

/** The specification as it is built now. */
export function readBuilt(folder: string = specificationFolder): Snapshot {
  const data = dataFiles.map((name) => [name, readJson(`${folder}dist/${name}.json`)] as const);
  const { version } = readObject(`${folder}package.json`);
  if (typeof version !== 'string') throw new TypeError('spec/package.json has no version.');
  return {
    version,
    openapi: readObject(`${folder}dist/openapi.json`),
    asyncapi: readObject(`${folder}dist/asyncapi.json`),
    data: {
      ...Object.fromEntries(data.filter((entry): entry is [string, Json] => entry[1] !== undefined)),
      transcripts: digestsOf(objectOf(readJson(`${folder}dist/transcripts.json`))),
    },
  };
}

/** Transcripts are mostly audio: a release keeps their digests, which tell as well that one is another. */
function digestsOf(transcripts: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(transcripts).map(([name, lines]) => [
      name,
      createHash('sha256').update(JSON.stringify(lines)).digest('hex'),
    ]),
  );
}

/**
 * A file of JSON that may not be there.
 *
 * @throws SyntaxError When it is there and is no JSON.
 */
function readJson(path: string): Json | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw cause;
  }
  return JSON.parse(text);
}

function readObject(path: string): JsonObject {
  const value = readJson(path);
  if (isObject(value)) return value;
  throw new Error(
    `${path} is missing or no object. Build the specification: npx turbo run build --filter=@speech-api/spec`,
  );
}
