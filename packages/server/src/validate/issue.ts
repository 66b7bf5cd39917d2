/** One thing that is wrong with a request: an entry of the validation list (section 7). */
export interface ValidationIssue {
  /** Where: the part of the request, then names and indexes, such as `["body", "prosody", "speed"]`. */
  readonly loc: readonly string[];
  /** What kind of fault, such as `missing` or `greater_than`. This project's own: nobody may depend on it. */
  readonly type: string;
  /** What a person reads. Names the field. */
  readonly msg: string;
  /** The bound that was broken, in words; empty when there is none. */
  readonly ctx: string;
  /** The part of the request; present on the voice model endpoints only. */
  readonly in?: string;
}

/** Beyond so many issues nobody reads on, and a hostile body must not make a larger answer than itself. */
export const mostIssues = 20;
