import { readBuilt } from '@speech-api/spec/read';

/** Something a lenient server accepts beyond the specification, and what a strict one says of it. */
export interface ToleranceEntry {
  readonly id: string;
  /** Place of the stricter wording in the document; `also` has further places of the same kind. */
  readonly pointer: string;
  readonly also?: readonly string[];
  readonly refused_by: 'schema' | 'rule';
  /** The rule that a lenient server skips. */
  readonly rule?: string;
  /** With `{field}`, `{value}` and `{meant}` to fill in. */
  readonly message: string;
}

/** The tolerances of the specification, in order. */
export function loadTolerances(): readonly ToleranceEntry[] {
  // The shape is that of tolerances.schema.yaml, which the tests of the specification check.
  return readBuilt('tolerances.json') as unknown as readonly ToleranceEntry[];
}
