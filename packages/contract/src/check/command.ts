import type { ParseArgsOptionsConfig } from 'node:util';
import { parseWords, readKey, readProfile } from '../command/arguments.ts';
import type { Command, ExitCode, Surroundings } from '../command/command.ts';
import { deliver, readReportPlan, reportHelp, reportOptions } from '../command/report-options.ts';
import { UsageError } from '../errors.ts';
import { defaultBudget } from '../judge/report.ts';
import { check } from './check.ts';

const help = `speech-contract check: judge recorded traffic without a server

Usage: speech-contract check [options] FILE...

FILE is a HAR file, as browsers and proxies save it, or a transcript of the specification (JSON lines).
Entries for other services are ignored. Keys in a file are never shown.

  --send                  sends the GET calls of the recording again, ${defaultBudget.calls} at most, and judges the new answers;
                          needs --target, and the key in SPEECH_API_KEY
  --target URL            with --send: the base address of the server, without /v1
  --profile P             full, or stateless: judges each answer alone, for recordings of a mock (default full)
${reportHelp}
  --help                  this text

Exits with 0 if the contract is kept, 1 if it is not, 2 if it could not be judged.
`;

const options = {
  ...reportOptions,
  send: { type: 'boolean', default: false },
  target: { type: 'string' },
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
  const { send, target } = values;
  if (send !== (target !== undefined)) {
    throw new UsageError('--send and --target go together: --send --target http://127.0.0.1:4010');
  }
  const plan = readReportPlan(values);
  const report = await check(positionals, {
    profile: readProfile(values.profile),
    ...(plan.baseline && { baseline: plan.baseline }),
    ...(target !== undefined && { send: { target, key: readKey(surroundings) } }),
  });
  const { ignored } = report.recordings;
  if (ignored > 0)
    surroundings.error(`Ignored ${ignored} entries for other services or without an answer.\n`);
  return await deliver(report, plan, surroundings);
}
