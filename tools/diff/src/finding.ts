import type { Impact } from './impact.ts';

/** One change between two versions of the specification, rated. */
export interface Finding {
  /** Name of the rule that rates it; `redocly/...` are those of redocly diff. */
  readonly rule: string;
  readonly impact: Impact;
  /** Where it is: the file that is built, and a JSON pointer or the id of an entry in it. */
  readonly place: string;
  /** What changed, in one sentence. */
  readonly message: string;
  /** The field, operation or entry that a line of the changelog has to name. */
  readonly subject: string;
  /** Who has to do something, as the changelog says it: "Who sends requests". */
  readonly audience: string;
  /** What they have to do, where the change says it by itself. */
  readonly action?: string;
}
