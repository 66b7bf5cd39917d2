import { loadTolerances } from '../spec/tolerances.ts';

/** What fills the gaps of a message. */
export interface Gaps {
  readonly field: string;
  readonly value?: string;
  readonly meant?: string | undefined;
}

/**
 * What a strict server says of something that a lenient one would accept: the words stand in the spec's tolerances, so
 * that every server tells the same.
 *
 * @param id the tolerance
 */
export function strictWords(id: string, gaps: Gaps): string {
  const entry = loadTolerances().find((tolerance) => tolerance.id === id);
  if (entry === undefined) throw new Error(`The spec has no tolerance ${id}.`);
  // Where nothing is near, the clause that would name it goes, up to the end of its sentence.
  const template =
    gaps.meant === undefined ? entry.message.replace(/[,;:] [^,;:]*\{meant\}[^.?]*[.?]/, '.') : entry.message;
  return template
    .replaceAll('{field}', gaps.field)
    .replaceAll('{value}', gaps.value ?? '')
    .replaceAll('{meant}', gaps.meant ?? '');
}
