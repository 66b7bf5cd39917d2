import type { UnknownEntry } from '../unknown-entry.ts';
import { asArray, asText, isObject, type Json } from './json.ts';
import type { Mark } from './page-model.ts';

/** Reads provenance marks, with what the register of unknowns says about each. */
export class MarkReader {
  readonly #entries: ReadonlyMap<string, UnknownEntry>;

  constructor(register: readonly UnknownEntry[]) {
    this.#entries = new Map(register.map((entry) => [entry.id, entry]));
  }

  /** The marks in one or several values of `x-provenance` (or of a rule's `provenance`), each once. */
  read(...values: (Json | undefined)[]): readonly Mark[] {
    const marks = new Map<string, Mark>();
    for (const value of values.flat()) {
      if (!isObject(value)) continue;
      const unknown = asText(value.unknown);
      const entry = this.#entries.get(unknown);
      if (entry === undefined) throw new Error(`the mark ${unknown} has no entry in unknowns.yaml`);
      const of = sayMembers(asArray(value.of).map(asText));
      const from = value.from === 'public' ? 'public' : 'assumed';
      const { choice, reason, settle } = entry;
      marks.set(`${unknown} ${of}`, { unknown, from, of, choice, reason, settle });
    }
    return [...marks.values()];
  }
}

/** Members of a document as a reader knows them: `responses/401` is the status, `x-unit` the unit. */
function sayMembers(members: readonly string[]): string {
  const words: Record<string, string> = {
    additionalProperties: 'no other field',
    unevaluatedProperties: 'no other field',
    minItems: 'fewest entries',
    maxItems: 'most entries',
    'x-unit': 'unit',
    refusedAbove: 'where it is refused',
    schema: 'type',
  };
  // The words of a description cannot be told apart; whoever reads it has them before him.
  return members
    .filter((member) => member !== 'description')
    .map((member) => words[member] ?? member.replace(/^responses\//, 'status '))
    .join(', ');
}
