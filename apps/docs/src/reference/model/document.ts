import { readFile } from 'node:fs/promises';
import {
  asArray,
  asObject,
  type Json,
  readAsyncApi,
  readBuilt,
  readOpenApi,
  SpecDocument,
} from '@speech-api/spec/read';
import type { UnknownEntry } from './page-model.ts';

/** Everything of the specification that the reference is made of. */
export interface Specification {
  readonly document: SpecDocument;
  readonly live: SpecDocument;
  readonly rules: Readonly<Record<'synthesis' | 'refusals' | 'streams' | 'expressions', readonly Json[]>>;
  readonly unknowns: readonly UnknownEntry[];
  readonly tolerances: readonly Json[];
}

/**
 * Reads the built specification.
 * `DOCS_OPENAPI` names another OpenAPI document, for a look at a change before it is in the specification.
 */
export async function readSpecification(openapi = process.env.DOCS_OPENAPI): Promise<Specification> {
  const lists = asObject(readBuilt('rules.json'));
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
  };
}
