/** What a request was sent for. Without it the judge takes the answer as it is, unless the request itself breaks the spec. */
export type Expectation = SuccessExpected | RefusalExpected;

/** The request keeps the contract, so the server has no reason to refuse it. */
export interface SuccessExpected {
  readonly outcome: 'success';
}

/** The request breaks something, so a 2xx is a violation. */
export interface RefusalExpected {
  readonly outcome: 'refused';
  /** Entries of the spec's `rules/refusals.yaml` that may answer it; which 4xx it is counts as a warning only. */
  readonly refusals: readonly string[];
  /** What is wrong with the request, in words; it stands in the finding. */
  readonly because: string;
}
