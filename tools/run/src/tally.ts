import { stripVTControlCharacters } from 'node:util';

/** What the test runners under one command counted together. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Adds up vitest's closing lines (`Tests  1 failed | 12 passed | 2 skipped (15)`) in the joined output of many tasks.
 * Cached tasks replay their output, so they count as what they were.
 */
export function tallyOf(output: string): Tally {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  for (const line of stripVTControlCharacters(output).split('\n')) {
    const closing = /(?:^|\s)Tests\s+(\d.*\(\d+\))\s*$/.exec(line)?.[1];
    if (closing === undefined) continue;
    for (const [, count, kind] of closing.matchAll(/(\d+) (passed|failed|skipped|todo)/g)) {
      // A todo is a test that does not run: it counts as skipped, so that it can't hide.
      const key = kind === 'passed' || kind === 'failed' ? kind : 'skipped';
      tally[key] += Number(count);
    }
  }
  return tally;
}

/** `12 passed, 0 failed`, and how many were skipped where any was. */
export function describeTally(tally: Tally): string {
  const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : '';
  return `${tally.passed} passed, ${tally.failed} failed${skipped}`;
}

/** The lines that name what failed, each once: vitest's `FAIL`, an assertion, a task that turbo gave up on. */
export function failuresIn(output: string): string[] {
  const lines = stripVTControlCharacters(output).split('\n');
  return [...new Set(lines.filter((line) => /\bFAIL\b|AssertionError|^\s*Failed:/.test(line)))];
}
