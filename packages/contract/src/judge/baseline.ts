/** Known violations. A finding that is in it is reported as known and does not count. */
export interface Baseline {
  readonly version: 1;
  readonly known: readonly KnownViolation[];
}

/** Matches findings of the same rule, operation and place; the numbers in a place (`/items/3`) do not matter. */
export interface KnownViolation {
  readonly rule: string;
  readonly operationId?: string;
  readonly where?: string;
  /** Why it is accepted, for people. */
  readonly reason?: string;
}
