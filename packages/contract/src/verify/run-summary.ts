import type { Report } from '../judge/report.ts';
import type { Cost } from './step.ts';

/** What `verify` says: the judgement, and what was done for it. */
export interface VerifyReport extends Report {
  readonly run: RunSummary;
}

/** What was sent, what was not, and what is left on the server. */
export interface RunSummary {
  /** Chooses the generated cases; the same seed makes the same ones. */
  readonly seed: number;
  /** What was sent; characters and seconds as a server bills them when it does as it is asked. */
  readonly spent: Cost;
  readonly milliseconds: number;
  /** Scenarios that were not begun. */
  readonly leftOut: readonly { readonly scenario: string; readonly about: string; readonly reason: string }[];
  /** Single steps that could not be made. */
  readonly skipped: readonly { readonly step: string; readonly reason: string }[];
  /** What the run has made on the server and could not delete. Empty when all is clean. */
  readonly leftBehind: readonly string[];
  /** Broken off before all was done. */
  readonly interrupted: boolean;
}
