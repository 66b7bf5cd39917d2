import type { Finding, Report } from './report.ts';

/** Known violations. A finding that it lists is reported as known and does not count. */
export interface Baseline {
  readonly version: 1;
  readonly known: readonly KnownViolation[];
}

/**
 * Matches findings of the same rule in the same call: its name, its encoding, the status of its answer, and the place.
 * The numbers in a place (`/items/3`) do not matter. Anything else is new.
 */
export interface KnownViolation {
  readonly rule: string;
  readonly operationId?: string;
  readonly where?: string;
  /** The name of the call, as a report prints it. */
  readonly exchange: string;
  readonly encoding?: string;
  readonly status: number;
  /** Reason for accepting it, for people. */
  readonly reason?: string;
  /** The last day on which it is accepted, such as `2027-01-31`. Without one it is accepted for good. */
  readonly until?: string;
}

/** True if a finding is in the baseline. */
export function isKnown(
  finding: Finding,
  baseline: Baseline | undefined,
  today: string = dayOf(new Date()),
): boolean {
  return (
    baseline?.known.some((known) => keyOf(known) === keyOf(finding) && !isExpired(known, today)) ?? false
  );
}

/** True if the last day of an entry is over. */
export function isExpired({ until }: KnownViolation, today: string = dayOf(new Date())): boolean {
  return until !== undefined && until < today;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/**
 * The baseline of a report: everything that is found in it, once.
 *
 * @param before whose reasons and days are kept where they are still about something
 */
export function baselineOf(report: Report, before?: Baseline): Baseline {
  const told = new Map(before?.known.map((known) => [keyOf(known), known]));
  const known = new Map<string, KnownViolation>();
  for (const finding of report.findings) {
    const { rule, operationId, where, encoding, status } = finding;
    const { reason, until } = told.get(keyOf(finding)) ?? {};
    known.set(keyOf(finding), {
      rule,
      ...(operationId !== undefined && { operationId }),
      ...(where !== undefined && { where: placeOf(where) }),
      exchange: callOf(finding),
      ...(encoding !== undefined && { encoding }),
      status,
      ...(reason !== undefined && { reason }),
      ...(until !== undefined && { until }),
    });
  }
  return { version: 1, known: [...known.values()] };
}

/** Findings that only one of two runs has, each once. */
export function differenceOf(before: readonly Finding[], now: readonly Finding[]) {
  const without = (all: readonly Finding[], others: readonly Finding[]) => {
    const known = new Set(others.map(keyOf));
    return [...new Map(all.map((each) => [keyOf(each), each]))].flatMap(([key, each]) =>
      known.has(key) ? [] : [each],
    );
  };
  return { added: without(now, before), gone: without(before, now) };
}

/** Entries that match no finding any more, because the violation has been fixed. */
export function unusedEntries(baseline: Baseline, report: Report): readonly KnownViolation[] {
  const found = new Set(report.findings.map(keyOf));
  return baseline.known.filter((known) => !found.has(keyOf(known)));
}

function keyOf(known: Omit<KnownViolation, 'reason' | 'until'>): string {
  const { rule, operationId = '', where = '', encoding = '', status } = known;
  return JSON.stringify([rule, operationId, placeOf(where), callOf(known), encoding, status]);
}

/** The name of a call; the place of an entry in a recording changes from one recording to the next. */
function callOf({ exchange }: Pick<KnownViolation, 'exchange'>): string {
  return exchange.replace(/, entry \d+: /, ': ');
}

/** The same place in another answer: which item of a list and which event it is changes from run to run. */
function placeOf(where: string): string {
  return where.replace(/\d+/g, '*');
}
