import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { UnknownEntry } from '../unknown-entry.ts';
import { SpecDocument } from './document.ts';
import { asArray, asObject, type Json } from './json.ts';
import type { Sample } from './page-model.ts';
import { readSamples } from './samples.ts';

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
