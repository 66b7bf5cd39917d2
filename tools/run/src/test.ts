import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { installedProgram } from '../program.mjs';
import { build, filtersIn, run, runProgram, turbo } from './processes.ts';

/** The suites that need more than Node, such as a browser, ffmpeg, curl or other runtimes. */
const suites = ['browser', 'audio', 'samples', 'runtimes', 'faults', 'fresh'];
/** Suites with other people's tools, such as 290 MB of LiveKit. Only the complete run includes them; they can be named. */
const completeSuites = ['consumers', 'livekit'];

const workspaces = '{spec,packages/*,apps/*,apps/sandbox/engines/*,tools/*}';
const checks = ['check', 'unused', 'lint', 'typecheck'];
/** Their tests take longest. Turbo cannot be told to start them first, and they would end up alone on one core. */
const longest = ['@speech-api/sandbox', '@speech-api/e2e'];

interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Results {
  readonly tally: Tally;
  /** One line for each test that failed. */
  readonly failures: readonly string[];
}

/** `npm test`: everything that runs on Node alone; what did not change comes from the cache. */
export async function runTests(args: readonly string[]): Promise<number> {
  // The build runs first and separately, because it holds the lock and tests do not.
  if (!(await build(filtersIn(args)))) return close({ passed: 0, failed: 1, skipped: 0 }, ['the build']);
  const start = (concurrency: number, tasks: readonly string[], filters: readonly string[]) => {
    const options = ['--continue', '--output-logs=new-only', `--concurrency=${concurrency}`];
    return turbo(['run', ...tasks, ...options, ...filters]);
  };
  const results = await collect('test', async () => {
    if (args.length > 0) {
      const code = await start(3, [...checks, 'test'], args);
      // The test that compares all API reports is in another workspace.
      return code + (await runProgram(['tools/release/src/api-reports.ts', '--check', ...filtersIn(args)]));
    }
    const [only, others] = ['', '!'].map((not) => longest.map((name) => `--filter=${not}${name}`));
    const first = await start(2, ['typecheck', 'test'], only ?? []);
    return first + (await start(3, [...checks, 'test'], others ?? []));
  });
  return close(results.tally, results.failures);
}

/**
 * `npm run test:full`: the suites that need more than Node, all of them or those that are named, in their short form or,
 * with `--complete`, with every case. A missing tool is a named skip here, and a failure where CI is set.
 */
export async function runFullTests(args: readonly string[]): Promise<number> {
  const complete = args.includes('--complete');
  // `.ci/run -- --complete` passes both on.
  const named = args.filter((name) => name !== '--complete' && name !== '--');
  const names = [...suites, ...completeSuites];
  const unknown = named.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    process.stderr.write(`Unknown suite "${unknown}". Use one or more of ${names.join(', ')}.\n`);
    return 2;
  }
  // The variable is not COMPLETE, because Deno then prints its completions instead of running a program.
  if (complete) process.env.EVERY_CASE = '1';
  if (!(await build())) return close({ passed: 0, failed: 1, skipped: 0 }, ['the build']);
  const began = performance.now();
  const all: Row[] = [];
  for (const suite of named.length > 0 ? named : complete ? names : suites) {
    process.stdout.write(`\n== ${suite}\n`);
    const suiteBegan = performance.now();
    const results = await collect(`test-${suite}`, () => runSuite(suite));
    all.push({ suite, seconds: secondsSince(suiteBegan), ...results });
  }
  process.stdout.write('\n');
  for (const { suite, tally, seconds } of all) {
    process.stdout.write(`${suite.padEnd(9)} ${describeTally(tally)}, ${seconds} s\n`);
  }
  const sum = (count: keyof Tally) => all.reduce((total, { tally }) => total + tally[count], 0);
  const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
  const failures = all.flatMap((results) => results.failures);
  if (complete && named.length === 0) writeLastRun(all, secondsSince(began));
  if (process.env.CI === undefined || skipped === 0) return close({ passed, failed, skipped }, failures);
  const refused = `${skipped} skipped tests: nothing may be skipped where CI is set`;
  return close({ passed, failed: failed + skipped, skipped: 0 }, [...failures, refused]);
}

interface Row extends Results {
  readonly suite: string;
  readonly seconds: number;
}

const secondsSince = (began: number): number => Math.round((performance.now() - began) / 1000);

/** The result of the last complete run is committed, so that a reader sees how old it is. */
function writeLastRun(rows: readonly Row[], seconds: number): void {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const counted = rows.map(({ suite, tally, seconds }) => ({ suite, ...tally, seconds }));
  const result = { commit, date, minutes: Math.round(seconds / 60), suites: counted };
  writeFileSync('tools/run/last-complete-run.json', `${JSON.stringify(result, undefined, 2)}\n`);
}

function runSuite(suite: string): Promise<number> {
  // The fresh clone starts the task graph itself, so it cannot be a task in it.
  if (suite !== 'fresh') {
    return turbo(['run', `test:${suite}`, '--only', '--output-logs=full', '--concurrency=1', '--continue']);
  }
  const [program, words, shell] = installedProgram('pnpm', [
    '--filter',
    '@speech-api/run',
    'run',
    'test:fresh',
  ]);
  return run(program, words, { stdio: ['ignore', 'inherit', 'inherit'], ...shell });
}

/** Each vitest of a task writes its results as JSON below `out/`; those of a cached task are laid out again. */
async function collect(task: string, start: () => Promise<number>): Promise<Results> {
  const pattern = `${workspaces}/out/${task}-results.json`;
  for (const path of globSync(pattern)) rmSync(path);
  const code = await start();
  const { tally, failures } = readResults(globSync(pattern).map((path) => readFileSync(path, 'utf8')));
  if (tally.passed + tally.failed + tally.skipped === 0) {
    return { tally: { ...tally, failed: 1 }, failures: [`${task} ran no test`] };
  }
  // A check failed, or a runner ended before it wrote its results.
  if (code !== 0 && tally.failed === 0) {
    return { tally: { ...tally, failed: 1 }, failures: [`a task of ${task} failed; its output is above`] };
  }
  return { tally, failures };
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

/** Adds up reports. A file that failed before any of its tests ran counts as one failure. */
function readResults(reports: readonly string[]): Results {
  const files = reports.flatMap((text) => (JSON.parse(text) as Report).testResults);
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const failures = files.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) failed.push(broken(message));
    return failed.map((test) => `${name} > ${test.fullName}: ${test.failureMessages[0]?.split('\n', 1)[0]}`);
  });
  const passed = tests.filter(({ status }) => status === 'passed').length;
  // A todo or a skipped test does not run, so it cannot hide among those that passed.
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed').length;
  return { tally: { passed, failed: failures.length, skipped }, failures };
}

const broken = (message: string) => ({
  status: 'failed',
  fullName: 'the file itself',
  failureMessages: [message],
});

/** `12 passed, 0 failed`, with the number of skipped tests where there are any. */
function describeTally({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Repeats the names of failed tests and ends with the summary line, which other programs read. */
function close(tally: Tally, failures: readonly string[]): number {
  if (failures.length > 0) process.stdout.write(`\n${failures.map((line) => `FAILED ${line}`).join('\n')}\n`);
  process.stdout.write(`\n${describeTally(tally)}\n`);
  return tally.failed > 0 ? 1 : 0;
}
