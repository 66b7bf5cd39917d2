import { Option } from '@speech-api/program';
import { type Command, type ExitCode, profileOption, type Surroundings } from '../command/command.ts';
import { deliver, type ReportValues, readReportPlan, reportOptions } from '../command/report-options.ts';
import { CannotJudge } from '../errors.ts';
import type { Exchange, HttpExchange, RecordedRequest } from '../exchange.ts';
import { judge, judgeRequest } from '../judge/judge.ts';
import type { Finding, JudgeOptions, Profile, Report } from '../judge/report.ts';
import { countOf } from '../report/text.ts';
import { findOperation } from '../specification/document.ts';
import { deriveExpectation } from '../subjects/fields.ts';
import { readAddress } from '../transport/send-call.ts';
import { readRecording } from './recordings.ts';

/** The report of `check`: the judgement, and what was skipped. */
export interface CheckReport extends Report {
  readonly recordings: {
    readonly files: readonly string[];
    /** Entries of other services. */
    readonly ignored: number;
    /** Answers, or their bodies, that the recording lacks, and bodies in an encoding that is not read. They are not judged. */
    readonly gaps: number;
  };
}

/** How recordings are judged. */
interface CheckOptions extends JudgeOptions {
  /** Base address of the server. @defaultValue that of the first call with a key */
  readonly base?: string;
}

/**
 * Judges recorded traffic, HAR files and transcripts of the spec, without a server.
 *
 * @throws CannotJudge when a file can't be read, or none of them holds a call of the API
 */
export async function check(files: readonly string[], options: CheckOptions = {}): Promise<CheckReport> {
  const { base, ...judging } = options;
  const exchanges: Exchange[] = [];
  const whole = new Set<Exchange>();
  let ignored = 0;
  let gaps = 0;
  for (const file of files) {
    const recording = await readRecording(file, base);
    ignored += recording.ignored;
    gaps += recording.gaps;
    for (const recorded of recording.exchanges) {
      const exchange = await deriveExpectation(recorded);
      exchanges.push(exchange);
      if (recording.isOurs) whole.add(exchange);
    }
  }
  if (exchanges.length === 0) {
    const why =
      ignored + gaps === 0
        ? 'it has no entries'
        : `${ignored} of its entries are for other services, and ${gaps} have no answer`;
    throw new CannotJudge(`There is no call of the speech API in ${files.join(', ')}: ${why}.`);
  }
  const report = await judge(exchanges, { ...judging, judgesRequest: (exchange) => whole.has(exchange) });
  return { ...report, recordings: { files, ignored, gaps } };
}

/**
 * Checks a request against the contract without sending it: key, media type, fields, and the rules between fields.
 *
 * @throws RangeError when method and path belong to no operation
 * @throws TypeError when url is not absolute
 */
export async function checkRequest(request: RecordedRequest): Promise<readonly Finding[]> {
  const name = `${request.method} ${new URL(request.url).pathname}`;
  const response = { status: 0, headers: {}, body: new Uint8Array(), ended: 'complete' } as const;
  const exchange: HttpExchange = { kind: 'http', name, request, response };
  if (findOperation(request.method, request.url) === undefined)
    throw new RangeError(`${name} is not an operation of the API.`);
  return await judgeRequest(exchange);
}

interface Values extends ReportValues {
  readonly base?: string;
  readonly profile: Profile;
}

/** Judges files. */
export const checkCommand: Command<Values> = {
  name: 'check',
  summary: 'Judge recorded traffic without a server.',
  takes: [
    '<files...>',
    'HAR files, as browsers and proxies save them, or transcripts of the specification (JSON lines)',
  ],
  options: [
    new Option(
      '--base <url>',
      'base address of the server, without /v1; entries elsewhere are ignored; without it, that of the first call with a key',
    ),
    profileOption(),
    ...reportOptions(),
  ],
  notes: `Entries for other services are ignored. What a recorder left out is not judged, and counted. Keys in a file are never
shown.`,
  run,
};

async function run(values: Values, files: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const base =
    values.base === undefined ? undefined : readAddress('--base', values.base, ['http:', 'https:']);
  const plan = readReportPlan(values);
  const report = await check(files, {
    profile: values.profile,
    ...(plan.baseline && { baseline: plan.baseline }),
    ...(base !== undefined && { base }),
  });
  const { ignored, gaps } = report.recordings;
  if (ignored > 0)
    surroundings.error(`Ignored ${countOf(ignored, 'entry', 'entries')} for other services.\n`);
  if (gaps > 0)
    surroundings.error(`Not judged: ${countOf(gaps, 'answer')} that the recording lacks or cut.\n`);
  return await deliver(report, plan, surroundings);
}
