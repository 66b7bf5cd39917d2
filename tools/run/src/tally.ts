/** What one or several test runs counted. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

export interface Results {
  readonly tally: Tally;
  /** One line for each test that failed: its file, its name and the first line of the reason. */
  readonly failures: readonly string[];
}

/** The part of vitest's JSON report that is read here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Adds up vitest's JSON reports. A file that failed before any of its tests ran counts as one failure. */
export function readResults(reports: readonly string[]): Results {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  const failures: string[] = [];
  const fail = (file: string, name: string, reason = ''): void => {
    tally.failed += 1;
    failures.push(`${file} > ${name}: ${reason.split('\n', 1)[0]}`);
  };
  for (const text of reports) {
    const { testResults } = JSON.parse(text) as Report;
    for (const { name, status, message, assertionResults } of testResults) {
      const before = tally.failed;
      for (const { status, fullName, failureMessages } of assertionResults) {
        if (status === 'passed') tally.passed += 1;
        else if (status === 'failed') fail(name, fullName, failureMessages[0]);
        // A todo or a skipped test does not run, so it cannot hide among those that passed.
        else tally.skipped += 1;
      }
      if (status === 'failed' && tally.failed === before) fail(name, 'the file itself', message);
    }
  }
  return { tally, failures };
}

export function addTallies(tallies: readonly Tally[]): Tally {
  const total: Tally = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of tallies) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  return total;
}

/** `12 passed, 0 failed`, with the number of skipped tests where there are any. */
export function describeTally({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
