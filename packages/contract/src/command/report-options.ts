import { existsSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { InvalidArgumentError, Option, repeated } from '@speech-api/program';
import { CannotJudge, UsageError } from '../errors.ts';
import {
  type Baseline,
  baselineOf,
  exitCodeOf,
  type Report,
  type Strictness,
  unusedEntries,
} from '../judge/report.ts';
import { placeOf } from '../report/text.ts';
import { reportFormats, writeReport } from '../report/write-report.ts';
import { isObject } from '../specification/document.ts';
import type { ExitCode, Surroundings } from './command.ts';

/** Options of every command that judges: its strictness, and the files to write. */
export function reportOptions(): Option[] {
  return [
    new Option('--fail-on <level>', 'fail on an error, also on a warning, or also on drift')
      .choices(['error', 'warning', 'drift'])
      .default('error'),
    new Option('--require-full', 'fail if an operation or a documented media type was not covered'),
    new Option(
      '--baseline <file>',
      'known findings, which do not count; each is one of a call, its encoding and its status, so that the same elsewhere is new',
    ),
    new Option(
      '--write-baseline <file>',
      'write the findings as a baseline, keep its reasons, and exit with 0',
    ),
    new Option('--json', 'write the report as JSON to standard output instead of the summary'),
    new Option(
      '--report <format=file>',
      `also write a report: ${reportFormats.join(', ')}; may be repeated`,
    ).argParser(repeated((text) => [readFileOption(text)])),
  ];
}

/** The values of {@link reportOptions} as a command line gives them. */
export interface ReportValues {
  readonly failOn: NonNullable<Strictness['failOn']>;
  readonly requireFull?: true;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly json?: true;
  readonly report?: readonly ReturnType<typeof readFileOption>[];
}

type ReportPlan = ReturnType<typeof readReportPlan>;

/**
 * Reads the options before anything is judged, so that a mistake costs nothing.
 *
 * @throws UsageError when a value is invalid, or a baseline can't be read
 */
export function readReportPlan(values: ReportValues) {
  const { failOn, requireFull = false, baseline, writeBaseline, json = false, report = [] } = values;
  return {
    strictness: { failOn, requireFull },
    baseline: baseline === undefined ? undefined : readBaseline(baseline),
    writeBaseline,
    json,
    files: report,
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
  await addToJobSummary(surroundings, '', writeReport('summary', report, strictness));
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

/** Adds a report to the summary of a hosted job. An indented block stays a block, whatever a server has said in it. */
export async function addToJobSummary({ environment, error }: Surroundings, heading: string, text: string) {
  const file = environment.GITHUB_STEP_SUMMARY ?? '';
  if (file === '') return;
  await appendFile(file, `## Speech contract${heading}\n\n${text.replace(/^(?=.)/gm, '    ')}\n`).catch(
    ({ message }: Error) => error(`The summary can't be written to ${file}: ${message}\n`),
  );
}

function readFileOption(text: string) {
  const [, name, file] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  const format = reportFormats.find((format) => format === name);
  if (format === undefined || file === undefined) {
    throw new InvalidArgumentError(`Use FORMAT=FILE, where FORMAT is ${reportFormats.join(', ')}.`);
  }
  return { format, file };
}

/** A missing file is an empty baseline. */
function readBaseline(file: string): Baseline {
  if (!existsSync(file)) return { version: 1, known: [] };
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--baseline ${file} can't be read: ${(error as Error).message}`);
  }
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

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new CannotJudge(`${file} can't be written: ${(error as Error).message}`);
  }
}
