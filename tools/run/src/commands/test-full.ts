import { printClosingLine, runCountedTwice } from '../counted.ts';
import type { Tally } from '../tally.ts';

const suites = [
  'test:browser',
  'test:audio',
  'test:samples',
  'test:runtimes',
  'test:faults',
  'test:contract',
  'test:fresh',
] as const;

/**
 * What `npm test` leaves out because it needs more than Node: a browser, ffmpeg, curl, other runtimes, real processes to kill, a clone.
 * A missing tool is a named skip here, and a failure where CI is set.
 * Arguments name the suites to run; without any, all of them run, one after the other.
 */
export async function run(args: readonly string[]): Promise<number> {
  const unknown = args.filter((name) => !suites.some((suite) => suite === name));
  if (unknown.length > 0) {
    process.stderr.write(`Unknown suite ${unknown.join(', ')}. One of: ${suites.join(', ')}.\n`);
    return 2;
  }
  const chosen = args.length > 0 ? args : suites;
  const total: Tally = { passed: 0, failed: 0, skipped: 0 };
  const rows: string[] = [];
  for (const suite of chosen) {
    process.stdout.write(`\n== ${suite}\n`);
    const tally = await runSuite(suite);
    if (tally.passed + tally.failed + tally.skipped === 0) tally.failed = 1; // a suite that ran nothing shows nothing
    total.passed += tally.passed;
    total.failed += tally.failed;
    total.skipped += tally.skipped;
    rows.push(`${suite.padEnd(13)} ${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
  }
  process.stdout.write(`\n${rows.join('\n')}\n`);
  const skippedInCi = process.env.CI !== undefined && total.skipped > 0;
  if (skippedInCi) {
    process.stdout.write(`${total.skipped} skipped, and nothing may be skipped where CI is set.\n`);
    total.failed += total.skipped;
    total.skipped = 0;
  }
  printClosingLine(total);
  return total.failed > 0 ? 1 : 0;
}

async function runSuite(suite: string): Promise<Tally> {
  if (suite === 'test:fresh')
    return await runCountedTwice(process.execPath, ['tools/run/main.mjs', 'test:fresh']);
  return await runCountedTwice('turbo', [
    'run',
    suite,
    '--output-logs=full',
    '--concurrency=1',
    '--continue',
  ]);
}
