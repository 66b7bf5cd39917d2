import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ParseArgsOptionsConfig } from 'node:util';
import { CannotJudge, UsageError } from '../errors.ts';
import { type Baseline, baselineOf, unusedEntries } from '../judge/baseline.ts';
import { exitCodeOf, type Report, type Strictness } from '../judge/report.ts';
import { type ReportFormat, reportFormats, writeReport } from '../report/write-report.ts';
import { writeSummary } from '../report/write-summary.ts';
import { isObject } from '../specification/document.ts';
import type { ExitCode, Surroundings } from './command.ts';

/** What every command that judges takes: how strict, and what to write. */
export const reportOptions = {
  'fail-on': { type: 'string', default: 'error' },
  'require-full': { type: 'boolean', default: false },
  baseline: { type: 'string' },
  'write-baseline': { type: 'string' },
  json: { type: 'boolean', default: false },
  report: { type: 'string', multiple: true, default: [] },
  coverage: { type: 'boolean', default: false },
} as const satisfies ParseArgsOptionsConfig;

export const reportHelp = `  --fail-on LEVEL         error, or warning for the careful (default error)
  --require-full          fail where an operation or a documented media type was not covered
  --baseline FILE         violations that are known and do not count
  --write-baseline FILE   writes what is found as a baseline, and ends with 0

  --json                  the report as JSON on standard output, instead of the summary
  --report FORMAT=FILE    writes a report besides: summary, json, junit, sarif or github; may be repeated
  --coverage              every rule of every row of the coverage table
`;

/** The values of {@link reportOptions} as a command line gives them. */
interface ReportValues {
  readonly 'fail-on': string;
  readonly 'require-full': boolean;
  readonly baseline?: string | undefined;
  readonly 'write-baseline'?: string | undefined;
  readonly json: boolean;
  readonly report: readonly string[];
  readonly coverage: boolean;
}

/** What to do with a report. */
interface ReportPlan {
  readonly strictness: Required<Strictness>;
  readonly baseline?: Baseline;
  readonly writeBaseline?: string;
  readonly json: boolean;
  readonly files: readonly { readonly format: ReportFormat; readonly file: string }[];
  readonly everyRule: boolean;
}

/**
 * Reads the options before anything is judged, so that a mistake costs nothing.
 *
 * @throws UsageError when a value is invalid, or a baseline can't be read
 */
export function readReportPlan(values: ReportValues): ReportPlan {
  const failOn = values['fail-on'];
  if (failOn !== 'error' && failOn !== 'warning') {
    throw new UsageError(`--fail-on ${failOn}: give error or warning.`);
  }
  return {
    strictness: { failOn, requireFull: values['require-full'] },
    ...(values.baseline !== undefined && { baseline: readBaseline(values.baseline) }),
    ...(values['write-baseline'] !== undefined && { writeBaseline: values['write-baseline'] }),
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
  surroundings.out(
    plan.json
      ? writeReport('json', report, strictness)
      : writeSummary(report, { ...strictness, everyRule, colour, width }),
  );
  // The runner reads commands from either stream; JSON on the other one stays whole.
  if (environment.GITHUB_ACTIONS === 'true') surroundings.error(writeReport('github', report, strictness));
  for (const { format, file } of plan.files) await write(file, writeReport(format, report, strictness));
  for (const { rule, operationId, where } of plan.baseline === undefined
    ? []
    : unusedEntries(plan.baseline, report)) {
    const place = [rule, operationId, where].filter((part) => part !== undefined).join(' ');
    surroundings.error(`The baseline knows "${place}", which is not found any more: take it out.\n`);
  }
  if (plan.writeBaseline === undefined) return exitCodeOf(report, strictness);
  const baseline = baselineOf(report);
  await write(plan.writeBaseline, `${JSON.stringify(baseline, null, 2)}\n`);
  surroundings.error(`Wrote ${baseline.known.length} known violations to ${plan.writeBaseline}.\n`);
  return exitCodeOf(report, strictness) === 2 ? 2 : 0;
}

function readFileOption(text: string): { format: ReportFormat; file: string } {
  const [, name, file] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  const format = reportFormats.find((each) => each === name);
  if (format === undefined || file === undefined) {
    throw new UsageError(
      `--report ${text}: give FORMAT=FILE, with ${reportFormats.join(', ')} as the format.`,
    );
  }
  return { format, file };
}

function readBaseline(file: string): Baseline {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--baseline ${file}: it can't be read: ${(error as Error).message}`);
  }
  const isBaseline =
    isObject(value) &&
    value.version === 1 &&
    Array.isArray(value.known) &&
    value.known.every((each) => isObject(each) && typeof each.rule === 'string');
  if (!isBaseline) {
    throw new UsageError(
      `--baseline ${file}: it is not a baseline. Write one with --write-baseline ${file}.`,
    );
  }
  return value as unknown as Baseline;
}

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new CannotJudge(`${file} can't be written: ${(error as Error).message}`);
  }
}
