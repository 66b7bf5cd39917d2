import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  asArray,
  asObject,
  type Json,
  readAsyncApi,
  readBuilt,
  readOpenApi,
  SpecDocument,
} from '@speech-api/spec/read';
import type { UnknownEntry } from '../unknowns.ts';
import { readSamples } from './examples.ts';
import type { Sample } from './page-model.ts';

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
  const lists = asObject(readBuilt('rules.json'));
  const root = fileURLToPath(new URL('.', import.meta.resolve('@speech-api/spec/package.json')));
  return {
    document:
      openapi === undefined ? readOpenApi() : new SpecDocument(JSON.parse(await readFile(openapi, 'utf8'))),
    live: readAsyncApi(),
    rules: {
      synthesis: asArray(lists.synthesis),
      refusals: asArray(lists.refusals),
      streams: asArray(lists.streams),
      expressions: asArray(lists.expressions),
    },
    unknowns: readBuilt('unknowns.json') as unknown as readonly UnknownEntry[],
    tolerances: asArray(readBuilt('tolerances.json')),
    samples: await readAllSamples(join(root, 'samples')),
  };
}

async function readAllSamples(directory: string): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const operations = await readdir(directory);
  const entries = operations.map(async (id) => [id, await readSamples(join(directory, id))] as const);
  return new Map(await Promise.all(entries));
}
