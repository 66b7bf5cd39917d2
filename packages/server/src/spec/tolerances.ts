import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Something a lenient server accepts beyond the specification, and what a strict one says of it. */
export interface ToleranceEntry {
  readonly id: string;
  /** Where in the document the stricter word stands, and further places of the same kind. */
  readonly pointer: string;
  readonly also?: readonly string[];
  readonly refused_by: 'schema' | 'rule';
  /** The rule that a lenient server skips. */
  readonly rule?: string;
  /** With `{field}`, `{value}` and `{meant}` to fill in. */
  readonly message: string;
}

let loaded: readonly ToleranceEntry[] | undefined;

/** The tolerances of the spec, in their order, read once. */
export function loadTolerances(): readonly ToleranceEntry[] {
  if (loaded === undefined) {
    const file = createRequire(import.meta.url).resolve('@speech-api/spec/tolerances.json');
    loaded = JSON.parse(readFileSync(file, 'utf8')) as readonly ToleranceEntry[];
  }
  return loaded;
}
