import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ParseArgsOptionsConfig } from 'node:util';
import { CannotJudge, UsageError } from '../errors.ts';
import { type Baseline, baselineOf, exitCodeOf, type Report, unusedEntries } from '../judge/report.ts';
import { placeOf } from '../report/text.ts';
import { type ReportFormat, reportFormats, writeReport } from '../report/write-report.ts';
import { isObject } from '../specification/document.ts';
import type { ExitCode, parseWords, Surroundings } from './command.ts';

/** Options of every command that judges: its strictness, and the files to write. */
export const reportOptions = {
  'fail-on': { type: 'string', default: 'error' },
  'require-full': { type: 'boolean', default: false },
  baseline: { type: 'string' },
  'write-baseline': { type: 'string' },
  json: { type: 'boolean', default: false },
  report: { type: 'string', multiple: true, default: [] },
} as const satisfies ParseArgsOptionsConfig;

export const reportHelp = `  --fail-on LEVEL         fail on an error, also on a warning, or also on drift (default error)
  --require-full          fail if an operation or a documented media type was not covered
  --baseline FILE         known findings, which do not count; each is one of a call, its encoding and its status, so that
                          the same elsewhere is new
  --write-baseline FILE   writes the findings as a baseline, keeps its reasons, and exits with 0

  --json                  writes the report as JSON to standard output instead of the summary
  --report FORMAT=FILE    also writes a report: summary, json, junit or github; may be repeated
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
    json: values.json,
    files: values.report.map(readFileOption),
  };
}

/** Shows and writes a report, and returns the exit code. */
export async function deliver(
  report: Report,
  plan: ReportPlan,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { strictness } = plan;
  surroundings.out(writeReport(plan.json ? 'json' : 'summary', report, strictness));
  // The runner reads commands from both streams, so JSON on the other stream stays intact.
  if (surroundings.environment.GITHUB_ACTIONS === 'true')
    surroundings.error(writeReport('github', report, strictness));
  for (const { format, file } of plan.files) {
    await write(file, writeReport(format, report, strictness));
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

function readFileOption(text: string): { format: ReportFormat; file: string } {
  const [, name, file] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  const format = reportFormats.find((format) => format === name);
  if (format === undefined || file === undefined) {
    throw new UsageError(`--report ${text}: use FORMAT=FILE, where FORMAT is ${reportFormats.join(', ')}.`);
  }
  return { format, file };
}

/** A missing file is an empty baseline. */
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
        typeof each.status === 'number',
    );
  if (!isBaseline) {
    throw new UsageError(`--baseline ${file} is not a baseline. Write one with --write-baseline ${file}.`);
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
