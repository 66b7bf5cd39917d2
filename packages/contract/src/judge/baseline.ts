import type { Finding, Report } from './report.ts';

/** Known violations. A finding that it lists is reported as known and does not count. */
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

/** Whether a finding is in the baseline. */
export function isKnown(finding: Finding, baseline: Baseline | undefined): boolean {
  return baseline?.known.some((known) => keyOf(known) === keyOf(finding)) ?? false;
}

/** The baseline of a report: everything that counts in it, once. */
export function baselineOf(report: Report): Baseline {
  const known = new Map<string, KnownViolation>();
  for (const finding of report.findings) {
    if (finding.severity === 'drift') continue;
    const { rule, operationId, where } = finding;
    known.set(keyOf(finding), {
      rule,
      ...(operationId !== undefined && { operationId }),
      ...(where !== undefined && { where: placeOf(where) }),
    });
  }
  return { version: 1, known: [...known.values()] };
}

/** Entries that match no finding any more, because the violation has been fixed. */
export function unusedEntries(baseline: Baseline, report: Report): readonly KnownViolation[] {
  const found = new Set(report.findings.map(keyOf));
  return baseline.known.filter((known) => !found.has(keyOf(known)));
}

function keyOf({ rule, operationId, where }: KnownViolation | Finding): string {
  return JSON.stringify([rule, operationId ?? '', placeOf(where ?? '')]);
}

/** The same place in another answer: which item of a list and which event it is changes from run to run. */
function placeOf(where: string): string {
  return where.replace(/\d+/g, '*');
}
