import type { ParseArgsOptionsConfig } from 'node:util';
import { parseWords, readProfile } from '../command/arguments.ts';
import type { Command, ExitCode, Surroundings } from '../command/command.ts';
import { deliver, readReportPlan, reportHelp, reportOptions } from '../command/report-options.ts';
import { UsageError } from '../errors.ts';
import { countOf } from '../report/text.ts';
import { readAddress } from '../transport/address.ts';
import { check } from './check.ts';

const help = `speech-contract check: judge recorded traffic without a server

Usage: speech-contract check [options] FILE...

FILE is a HAR file, as browsers and proxies save it, or a transcript of the specification (JSON lines).
Entries for other services are ignored. What a recorder left out is not judged, and counted. Keys in a file are never
shown.

  --base URL              base address of the server, without /v1; entries elsewhere are ignored (default: that of the
                          first call with a key)
  --profile P             full, or stateless: judges each answer alone, for recordings of a mock (default full)
${reportHelp}
  --help                  this text

Exits with 0 if the contract is kept, 1 if it is not, 2 if it could not be judged.
`;

const options = {
  ...reportOptions,
  base: { type: 'string' },
  profile: { type: 'string', default: 'full' },
} as const satisfies ParseArgsOptionsConfig;

/** Judges files. */
export const checkCommand: Command = {
  name: 'check',
  summary: 'judges recorded traffic (HAR files, transcripts) without a server',
  help,
  run,
};

async function run(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { values, positionals } = parseWords(words, options, true);
  if (positionals.length === 0) {
    throw new UsageError('There is no file to check. Name at least one: speech-contract check recording.har');
  }
  const base =
    values.base === undefined ? undefined : readAddress('--base', values.base, ['http:', 'https:']);
  const plan = readReportPlan(values);
  const report = await check(positionals, {
    profile: readProfile(values.profile),
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
