import { globSync, readFileSync, rmSync } from 'node:fs';
import { build, run, turbo } from './processes.ts';
import { addTallies, describeTally, type Results, readResults, type Tally } from './tally.ts';

/** What `npm test` leaves out because it needs more than Node: a browser, ffmpeg, curl, other runtimes, a clone. */
const suites = [
  'browser',
  'audio',
  'samples',
  'runtimes',
  'consumers',
  'faults',
  'contract',
  'fresh',
] as const;

const workspaces = '{spec,packages/*,apps/*,apps/sandbox/engines/*,tools/*}';

/** `npm test`: everything that runs on Node alone; what did not change comes from the cache. */
export async function runTests(args: readonly string[]): Promise<number> {
  // Built first and separately, because a build holds the lock and tests do not.
  if (!(await build())) return close({ passed: 0, failed: 1, skipped: 0 }, ['the build']);
  const checks = await turbo([
    'run',
    'check',
    'lint',
    'typecheck',
    '--continue',
    '--output-logs=full',
    ...args,
  ]);
  const { tally, failures } = await runVitest('test', (report) =>
    turbo(['run', 'test', '--continue', '--output-logs=full', ...args, '--', ...report]),
  );
  if (checks === 0) return close(tally, failures);
  const reason = 'check, lint or typecheck; the output is above';
  return close({ ...tally, failed: tally.failed + 1 }, [reason, ...failures]);
}

/**
 * `npm run test:full`: the suites that need more than Node, all of them or those that are named.
 * A missing tool is a named skip here, and a failure where CI is set.
 */
export async function runFullTests(args: readonly string[]): Promise<number> {
  const unknown = args.filter((name) => !suites.some((suite) => suite === name));
  if (unknown.length > 0) {
    process.stderr.write(`Unknown suite "${unknown[0]}". Use one or more of ${suites.join(', ')}.\n`);
    return 2;
  }
  if (!(await build())) return close({ passed: 0, failed: 1, skipped: 0 }, ['the build']);
  const all: (Results & { readonly suite: string })[] = [];
  for (const suite of args.length > 0 ? args : suites) {
    process.stdout.write(`\n== ${suite}\n`);
    all.push({ suite, ...(await runVitest(`test:${suite}`, (report) => runSuite(suite, report))) });
  }
  process.stdout.write('\n');
  for (const { suite, tally } of all) process.stdout.write(`${suite.padEnd(9)} ${describeTally(tally)}\n`);
  const total = addTallies(all.map(({ tally }) => tally));
  const failures = all.flatMap((results) => results.failures);
  if (process.env.CI !== undefined && total.skipped > 0) {
    total.failed += total.skipped;
    failures.push(`${total.skipped} skipped tests: nothing may be skipped where CI is set`);
    total.skipped = 0;
  }
  return close(total, failures);
}

function runSuite(suite: string, report: readonly string[]): Promise<number> {
  // The fresh clone starts the task graph itself, so it cannot be a task in it.
  return suite === 'fresh'
    ? run('pnpm', ['--filter', '@speech-api/run', 'run', 'test:fresh', ...report], {
        stdio: ['ignore', 'inherit', 'inherit'],
        shell: process.platform === 'win32',
      })
    : // Everything is built. Without --only, turbo would rebuild it for each suite: arguments after `--` change every hash.
      turbo([
        'run',
        `test:${suite}`,
        '--only',
        '--output-logs=full',
        '--concurrency=1',
        '--continue',
        '--',
        ...report,
      ]);
}

/** Each vitest of the task writes its results as JSON below `out/`, also when the task comes from the cache. */
async function runVitest(
  task: string,
  start: (report: readonly string[]) => Promise<number>,
): Promise<Results> {
  const file = `out/${task.replace(':', '-')}-results.json`;
  const pattern = `${workspaces}/${file}`;
  for (const path of globSync(pattern)) rmSync(path);
  const code = await start(['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]);
  const results = readResults(globSync(pattern).map((path) => readFileSync(path, 'utf8')));
  const { tally, failures } = results;
  if (tally.passed + tally.failed + tally.skipped === 0) {
    return { tally: { ...tally, failed: 1 }, failures: [`${task} ran no test`] };
  }
  // A runner that died before it wrote its results.
  if (code !== 0 && tally.failed === 0) {
    return { tally: { ...tally, failed: 1 }, failures: [`a task of ${task} failed; its output is above`] };
  }
  return { tally, failures };
}

/** Names what failed once more and ends with the closing line, which other programs read. */
function close(tally: Tally, failures: readonly string[]): number {
  if (failures.length > 0) process.stdout.write(`\n${failures.map((line) => `FAILED ${line}`).join('\n')}\n`);
  process.stdout.write(`\n${describeTally(tally)}\n`);
  return tally.failed > 0 ? 1 : 0;
}
