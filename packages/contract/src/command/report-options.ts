import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ParseArgsOptionsConfig } from 'node:util';
import { CannotJudge, UsageError } from '../errors.ts';
import {
  type Baseline,
  baselineOf,
  differenceOf,
  exitCodeOf,
  type Finding,
  isExpired,
  type Report,
  unusedEntries,
} from '../judge/report.ts';
import { findingInWords, placeOf } from '../report/text.ts';
import { type ReportFormat, reportFormats, writeReport } from '../report/write-report.ts';
import { writeSummary } from '../report/write-summary.ts';
import { asObject, isObject } from '../specification/document.ts';
import type { ExitCode, parseWords, Surroundings } from './command.ts';

/** Options of every command that judges: its strictness, and the files to write. */
export const reportOptions = {
  'fail-on': { type: 'string', default: 'error' },
  'require-full': { type: 'boolean', default: false },
  baseline: { type: 'string' },
  'write-baseline': { type: 'string' },
  since: { type: 'string' },
  json: { type: 'boolean', default: false },
  report: { type: 'string', multiple: true, default: [] },
  coverage: { type: 'boolean', default: false },
} as const satisfies ParseArgsOptionsConfig;

export const reportHelp = `  --fail-on LEVEL         fail on an error, also on a warning, or also on drift (default error)
  --require-full          fail if an operation or a documented media type was not covered
  --baseline FILE         known findings, which do not count until the day that an entry names; each is one of a call,
                          its encoding and its status, so that the same elsewhere is new
  --write-baseline FILE   writes the findings as a baseline, keeps its reasons and days, and exits with 0
  --since FILE            the JSON report of an earlier run: lists what is new and what is gone

  --json                  writes the report as JSON to standard output instead of the summary
  --report FORMAT=FILE    also writes a report: summary, json, junit or github; may be repeated
  --coverage              lists every rule in every row of the coverage table
`;

/** The values of {@link reportOptions} as a command line gives them. */
type ReportValues = ReturnType<typeof parseWords<typeof reportOptions>>['values'];

type ReportPlan = ReturnType<typeof readReportPlan>;

/**
 * Reads the options before anything is judged, so that a mistake costs nothing.
 *
 * @throws UsageError when a value is invalid, or a baseline can't be read
 */
export function readReportPlan(values: ReportValues) {
  const failOn = values['fail-on'];
  if (failOn !== 'error' && failOn !== 'warning' && failOn !== 'drift') {
    throw new UsageError(`--fail-on ${failOn} is not a level; use error, warning or drift.`);
  }
  return {
    strictness: { failOn, requireFull: values['require-full'] } as const,
    baseline: values.baseline === undefined ? undefined : readBaseline(values.baseline),
    writeBaseline: values['write-baseline'],
    /** The findings of an earlier run. */
    since: values.since === undefined ? undefined : readReport('--since', values.since).findings,
    json: values.json,
    files: values.report.map(readFileOption),
    everyRule: values.coverage,
  };
}

/** Shows and writes a report, and says how the command ends. */
export async function deliver(
  report: Report,
  plan: ReportPlan,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { strictness, everyRule } = plan;
  const { colour, width, environment } = surroundings;
  const since = plan.since === undefined ? '' : `\n${inWords(plan.since, report)}`;
  surroundings.out(
    plan.json
      ? writeReport('json', report, strictness)
      : writeSummary(report, { ...strictness, everyRule, colour, width }) + since,
  );
  // The runner reads commands from either stream; JSON on the other one stays whole.
  if (environment.GITHUB_ACTIONS === 'true') surroundings.error(writeReport('github', report, strictness));
  for (const { format, file } of plan.files) {
    await write(file, writeReport(format, report, strictness) + (format === 'summary' ? since : ''));
  }
  for (const expired of plan.baseline?.known.filter((known) => isExpired(known)) ?? []) {
    surroundings.error(
      `The baseline accepted "${placeOf(expired)}" until ${expired.until}; it counts again.\n`,
    );
  }
  for (const unused of plan.baseline === undefined ? [] : unusedEntries(plan.baseline, report)) {
    surroundings.error(
      `The baseline lists "${placeOf(unused)}", which is no longer found; remove the entry.\n`,
    );
  }
  if (plan.writeBaseline === undefined) return exitCodeOf(report, strictness);
  const before = plan.baseline ?? readBaseline(plan.writeBaseline);
  const baseline = baselineOf(report, before);
  await write(plan.writeBaseline, `${JSON.stringify(baseline, null, 2)}\n`);
  surroundings.error(`Wrote ${baseline.known.length} known violations to ${plan.writeBaseline}.\n`);
  return 0;
}

/** Findings that are new or gone since an earlier run, each rule and place once. */
function inWords(before: readonly Finding[], report: Report): string {
  const { added, gone } = differenceOf(before, report.findings);
  const lines = [
    ...added.map((finding) => `  new  ${findingInWords(finding)}`),
    ...gone.map((finding) => `  gone ${findingInWords(finding)}`),
  ];
  return lines.length === 0
    ? 'Since the last run: nothing has changed.\n'
    : `Since the last run:\n${lines.join('\n')}\n`;
}

/** What is read of the report of an earlier run. */
interface EarlierReport {
  /** Drift included. */
  readonly findings: readonly Finding[];
  /** Everything was judged, and nothing broke. */
  readonly isKept: boolean;
}

/**
 * A report that was written as JSON.
 *
 * @throws UsageError when the file can't be read or is no such report
 */
export function readReport(option: string, file: string): EarlierReport {
  const value = readJson(option, file);
  if (!isObject(value) || !Array.isArray(value.findings) || !Array.isArray(value.drift)) {
    throw new UsageError(`${option} ${file} is not a report. Write one with --report json=FILE.`);
  }
  const findings = [...value.findings, ...value.drift].filter(isObject) as unknown as Finding[];
  return { findings, isKept: value.verdict === 'kept' && asObject(value.run).interrupted !== true };
}

function readFileOption(text: string): { format: ReportFormat; file: string } {
  const [, name, file] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  const format = reportFormats.find((each) => each === name);
  if (format === undefined || file === undefined) {
    throw new UsageError(`--report ${text}: use FORMAT=FILE, where FORMAT is ${reportFormats.join(', ')}.`);
  }
  return { format, file };
}

/** A file that is not there yet is an empty baseline. */
function readBaseline(file: string): Baseline {
  if (!existsSync(file)) return { version: 1, known: [] };
  const value = readJson('--baseline', file);
  const isBaseline =
    isObject(value) &&
    value.version === 1 &&
    Array.isArray(value.known) &&
    value.known.every(
      (each) =>
        isObject(each) &&
        typeof each.rule === 'string' &&
        typeof each.exchange === 'string' &&
        typeof each.status === 'number' &&
        (each.until === undefined || /^\d{4}-\d{2}-\d{2}$/.test(String(each.until))),
    );
  if (!isBaseline) {
    throw new UsageError(
      `--baseline ${file} is not a baseline. Days are written as 2027-01-31. Write one with --write-baseline ${file}.`,
    );
  }
  return value as unknown as Baseline;
}

/** @throws UsageError when the file can't be read or is no JSON */
function readJson(option: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${option} ${file} can't be read: ${(error as Error).message}`);
  }
}

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new CannotJudge(`${file} can't be written: ${(error as Error).message}`);
  }
}
