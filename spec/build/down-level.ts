import type { JsonObject } from '../read.ts';
import { closeSchemas } from './close-schemas.ts';
import { differences } from './differences.ts';

/** A document uses something that the older standard cannot express. */
export class DownLevelError extends Error {
  override readonly name = 'DownLevelError';
  /** One sentence for each problem. */
  readonly problems: readonly string[];

  constructor(standard: string, problems: readonly string[]) {
    super(`${standard} cannot express this document:\n${problems.join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Rewrites a bundled OpenAPI 3.2 document as OpenAPI 3.1 by the list of {@link differences}. Everything that is not on
 * the list has to exist in 3.1 already; the official schema of 3.1 judges that in the tests.
 *
 * @throws DownLevelError naming what a difference cannot rewrite without a loss.
 */
export function downLevel(document: JsonObject): JsonObject {
  const problems: string[] = [];
  const result = differences.reduce((changed, difference) => difference.apply(changed, problems), document);
  if (problems.length > 0) throw new DownLevelError('OpenAPI 3.1', problems);
  return { ...result, openapi: '3.1.1' };
}

/**
 * Writes the schemas of a bundled AsyncAPI document in the draft of JSON Schema that AsyncAPI reads.
 *
 * @throws DownLevelError naming every schema that cannot be written so.
 */
export function downLevelLive(document: JsonObject): JsonObject {
  const problems: string[] = [];
  const closed = closeSchemas(document, problems);
  if (problems.length > 0) throw new DownLevelError('AsyncAPI 3', problems);
  return closed;
}
