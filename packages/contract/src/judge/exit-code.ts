import type { Finding } from './finding.ts';
import type { Report } from './report.ts';

/** What makes a check fail. */
export interface Strictness {
  /** @defaultValue 'error' */
  readonly failOn?: 'error' | 'warning';
  /** Fail where something the spec documents was not seen. @defaultValue false */
  readonly requireFull?: boolean;
}

/** 0: the contract is kept. 1: it is not. 2: nothing was judged. */
export function exitCodeOf(
  report: Report,
  { failOn = 'error', requireFull = false }: Strictness = {},
): 0 | 1 | 2 {
  if (report.findings.some((finding) => counts(finding, failOn))) return 1;
  if (report.exchanges.length === 0 || report.coverage.cells.length === 0) return 2;
  return requireFull && report.coverage.uncovered.length > 0 ? 1 : 0;
}

/** Whether a finding makes a check fail. */
export function counts({ severity, known }: Finding, failOn: 'error' | 'warning' = 'error'): boolean {
  return known !== true && (severity === 'error' || (failOn === 'warning' && severity === 'warning'));
}
