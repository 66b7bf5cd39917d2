import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { UnknownEntry } from '../unknowns.ts';
import { readSamples } from './examples.ts';
import type { Sample } from './page-model.ts';

/** A JSON value as it stands in the built specification. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object with any keys. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Whether a value is an object, and not an array or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one when it is none. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as an array; an empty one when it is none. */
export function asArray(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text; empty when it is none. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A built document of the specification, with its references followed. */
export class SpecDocument {
  readonly root: JsonObject;

  constructor(root: unknown) {
    if (!isObject(root)) throw new Error('a document of the specification must be an object');
    this.root = root;
  }

  /** The value a reference leads to, through as many as there are. A reference that leads nowhere is an error. */
  resolve(node: Json | undefined): JsonObject {
    const object = asObject(node);
    const { $ref } = object;
    if (typeof $ref !== 'string') return object;
    return this.resolve(this.#at($ref));
  }

  /** The name of the component a schema is, or extends and nothing else: `VoiceModel`. */
  nameOf(node: Json | undefined): string | undefined {
    const { $ref, allOf } = asObject(node);
    if (typeof $ref === 'string') return $ref.split('/').at(-1);
    const [only, ...others] = asArray(allOf);
    return only !== undefined && others.length === 0 ? this.nameOf(only) : undefined;
  }

  /**
   * A schema with references followed and `allOf` folded into it. What stands beside a reference wins over what it
   * leads to; provenance marks of both are kept.
   */
  flatten(node: Json | undefined): JsonObject {
    const { $ref, allOf, ...own } = asObject(node);
    const parts: JsonObject[] = [];
    if (typeof $ref === 'string') parts.push(this.flatten(this.#at($ref)));
    for (const part of asArray(allOf)) parts.push(this.flatten(part));
    return [...parts, own].reduce(merge, {});
  }

  #at(reference: string): Json {
    let value: Json = this.root;
    for (const part of reference.replace(/^#\//, '').split('/')) {
      const next: Json | undefined = asObject(value)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
      if (next === undefined) throw new Error(`the reference ${reference} leads nowhere`);
      value = next;
    }
    return value;
  }
}

function merge(left: JsonObject, right: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...left, ...right };
  for (const key of ['properties', 'x-limits']) {
    if (isObject(left[key]) && isObject(right[key])) merged[key] = { ...left[key], ...right[key] };
  }
  for (const key of ['required', 'x-provenance']) {
    const both = [left[key], right[key]].flat().filter((entry) => entry !== undefined && entry !== null);
    if (both.length > 0) merged[key] = both as Json[];
  }
  return merged;
}

/** Everything of the specification that the reference is made of. */
export interface Specification {
  readonly document: SpecDocument;
  readonly live: SpecDocument;
  readonly rules: Readonly<Record<'synthesis' | 'refusals' | 'streams' | 'expressions', readonly Json[]>>;
  readonly unknowns: readonly UnknownEntry[];
  readonly tolerances: readonly Json[];
  /** By operation. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
}

/**
 * Reads the built specification.
 * `DOCS_OPENAPI` names another OpenAPI document, for a look at a change before it is in the specification.
 */
export async function readSpecification(openapi = process.env.DOCS_OPENAPI): Promise<Specification> {
  const root = fileURLToPath(new URL('.', import.meta.resolve('@speech-api/spec/package.json')));
  const read = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));
  const built = (file: string): Promise<unknown> => read(join(root, 'dist', file));
  const [document, live, rules, unknowns, tolerances, samples] = await Promise.all([
    openapi === undefined ? built('openapi.json') : read(openapi),
    built('asyncapi.json'),
    built('rules.json'),
    built('unknowns.json'),
    built('tolerances.json'),
    readAllSamples(join(root, 'samples')),
  ]);
  const lists = asObject(rules);
  return {
    document: new SpecDocument(document),
    live: new SpecDocument(live),
    rules: {
      synthesis: asArray(lists.synthesis),
      refusals: asArray(lists.refusals),
      streams: asArray(lists.streams),
      expressions: asArray(lists.expressions),
    },
    unknowns: unknowns as readonly UnknownEntry[],
    tolerances: asArray(tolerances),
    samples,
  };
}

async function readAllSamples(directory: string): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const operations = await readdir(directory);
  const entries = operations.map(async (id) => [id, await readSamples(join(directory, id))] as const);
  return new Map(await Promise.all(entries));
}
