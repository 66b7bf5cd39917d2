import type { Operation } from '../spec/operations.ts';
import { suggest } from '../validate/suggest.ts';
import { clip, listed } from '../validate/words.ts';

/** Says that a path is not there, which was probably meant, and which there are. */
export function describeUnknownPath(path: string, operations: readonly Operation[]): string {
  const known = [...new Set(operations.map((operation) => operation.path))];
  const meant = suggest(path, known);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `There is nothing at ${clip(path)}.${hint} There is ${listed(known)}.`;
}
