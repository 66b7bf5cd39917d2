import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isObject, type JsonObject } from './document.ts';

/** One built file of the specification. */
export interface Source {
  /** Its name in the package of the specification. */
  readonly name: string;
  readonly hash: string;
  readonly value: JsonObject | readonly JsonObject[];
}

/** Everything the generator reads. */
export interface Sources {
  readonly document: Source;
  readonly rules: Source;
  readonly tolerances: Source;
}

/** Reads the built specification, which `pnpm --filter @speech-api/spec build` writes. */
export async function readSources(): Promise<Sources> {
  const [document, rules, tolerances] = await Promise.all(
    ['openapi.json', 'rules.json', 'tolerances.json'].map(readSource),
  );
  if (!document || !rules || !tolerances) throw new Error('A source is missing.');
  return { document, rules, tolerances };
}

/** Makes a source of a text, so that a test can bring its own. */
export function makeSource(name: string, text: string): Source {
  // The value counts, not how it is laid out.
  const value: Source['value'] = JSON.parse(text);
  return { name, hash: createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16), value };
}

/** The value of a source that is one object. */
export function objectOf({ name, value }: Source): JsonObject {
  if (!isObject(value)) throw new Error(`${name} holds no object.`);
  return value;
}

async function readSource(name: string): Promise<Source> {
  return makeSource(
    name,
    await readFile(fileURLToPath(import.meta.resolve(`@speech-api/spec/${name}`)), 'utf8'),
  );
}
