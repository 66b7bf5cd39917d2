import type { ParseArgsOptionsConfig } from 'node:util';
import { parseWords, readKey, readNumber, readProfile, similarNames } from '../command/arguments.ts';
import type { Command, ExitCode, Surroundings } from '../command/command.ts';
import { listenForInterrupt } from '../command/interrupt.ts';
import { deliver, readReport, readReportPlan, reportHelp, reportOptions } from '../command/report-options.ts';
import { UsageError } from '../errors.ts';
import { defaultBudget } from '../judge/report.ts';
import { thoroughBudget } from './budget.ts';
import { costInWords, createProgress, describePlan, describeRun } from './describe.ts';
import { readSending, sendingOptions } from './options.ts';
import { isNamed } from './plan.ts';
import { readTarget } from './preflight.ts';
import { longestCallSeconds, planFor, scenariosFor, verify } from './verify.ts';

/** The options of `verify`. */
const verifyOptions = {
  ...sendingOptions,
  profile: { type: 'string', default: 'full' },
  deterministic: { type: 'boolean', default: false },
  failed: { type: 'string' },
  thorough: { type: 'boolean', default: false },
  'read-only': { type: 'boolean', default: false },
  seed: { type: 'string', default: '1' },
  concurrency: { type: 'string', default: '4' },
  'calls-per-minute': { type: 'string' },
  'max-wait': { type: 'string', default: '300' },
  ...reportOptions,
} as const satisfies ParseArgsOptionsConfig;

type Values = ReturnType<typeof parseWords<typeof verifyOptions>>['values'];

async function run(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { values } = parseWords(words, verifyOptions);
  const { out, error } = surroundings;
  const options = readVerifyOptions(values);
  if (values.failed !== undefined && options.only.length === 0) {
    error(`Nothing broke in the run of ${values.failed}, so there is nothing to repeat.\n`);
    return 0;
  }
  const plan = readReportPlan(values);
  checkNames(options.only, options.seed);
  if (values['dry-run']) {
    out(describePlan(planFor(options), readTarget({ ...options, key: 'none' })));
    return 0;
  }
  // Nothing is announced that is not sent: the address and the key are checked before.
  const { base, key } = readTarget({ ...options, key: readKey(surroundings) });
  error(`Sending ${costInWords(planFor(options).cost)} at most to ${base}.\n`);
  const progress = createProgress(surroundings, process.stderr.isTTY === true);
  const interrupt = listenForInterrupt(() => {
    progress.clear();
    error('Interrupted. Deleting what was created; interrupt again to exit at once.\n');
  });
  try {
    const report = await verify({
      ...options,
      baseline: plan.baseline,
      key,
      signal: interrupt.signal,
      onProgress: progress.show,
      onWait: (seconds, status) => {
        progress.clear();
        error(`The server answered ${status} and asked to wait: continuing in ${seconds} s.\n`);
      },
    });
    progress.clear();
    const code = await deliver(report, plan, surroundings);
    error(`\n${describeRun(report.run)}`);
    return report.run.interrupted ? 2 : code;
  } finally {
    interrupt.release();
    progress.clear();
  }
}

/** @throws UsageError when a name fits no scenario */
function checkNames(only: readonly string[], seed: number): void {
  const names = scenariosFor(seed).map(({ name }) => name);
  for (const wanted of only) {
    if (names.some((name) => isNamed(name, wanted))) continue;
    const near = similarNames(wanted, names);
    const hint = near.length > 0 ? `Similar scenarios: ${near.join(', ')}. ` : '';
    throw new UsageError(`--only ${wanted}: there is no such scenario. ${hint}--dry-run lists all.`);
  }
}

const verifyHelp = `speech-contract verify: play scenarios against a server and judge every answer

Usage: SPEECH_API_KEY=... speech-contract verify --target URL [options]

The key is read only from the environment variable SPEECH_API_KEY, because other users of a machine can read command
lines.

  --target URL            base address of the HTTP API, without /v1
  --live URL              base address of the live socket (default: that of --target, with ws or wss)
  --profile P             full, or stateless: judges each answer alone, for mocks (default full)
  --deterministic         the server gives the same audio for the same request, so compare it

  --max-calls N           maximum number of calls (default ${defaultBudget.calls}; with --thorough ${thoroughBudget.calls})
  --max-characters N      maximum number of characters to speak (default ${defaultBudget.characters}; ${thoroughBudget.characters})
  --max-audio-seconds N   maximum number of seconds to transcribe (default ${defaultBudget.audioSeconds}; ${thoroughBudget.audioSeconds})
  --thorough              the whole set of scenarios, with the larger limits above
  --read-only             does not create, change or delete voice models
  --only NAME             only this scenario; NAME* stands for all that begin with NAME; may be repeated
  --failed REPORT         only what failed in an earlier run, by its JSON report
  --dry-run               prints what would be sent and what it costs, and sends nothing

  --seed N                chooses the generated requests (default 1)
  --concurrency N         scenarios played in parallel (default 4)
  --timeout SECONDS       how long to wait for the next byte of an answer (default 20); a whole call may take
                          ${longestCallSeconds} seconds
  --calls-per-minute N    starts at most this many calls per minute
  --max-wait SECONDS      how long to wait in total when the server asks for it with Retry-After (default 300)

${reportHelp}`;

/** The scenarios in which something broke, by the names of their calls; none if nothing broke. */
function brokenIn(file: string, seed: number): string[] {
  const { findings, isKept } = readReport('--failed', file);
  const broken = new Set(findings.map(({ exchange }) => exchange));
  const names = scenariosFor(seed).flatMap(({ name, steps }) =>
    steps.some((step) => broken.has(step.name)) ? [name] : [],
  );
  if (broken.size > 0 && names.length === 0)
    throw new UsageError(`--failed ${file}: nothing in it can be repeated.`);
  if (broken.size === 0 && !isKept)
    throw new UsageError(
      `--failed ${file}: nothing broke, but not everything was judged. Leave out --failed.`,
    );
  return names;
}

/** @throws UsageError when a value is invalid */
function readVerifyOptions(values: Values) {
  const sending = readSending(values, values.thorough ? thoroughBudget : defaultBudget);
  const { profile, deterministic, failed, 'calls-per-minute': pace } = values;
  const seed = readNumber('--seed', values.seed, 1, 0);
  return {
    ...sending,
    profile: readProfile(profile),
    deterministic,
    only: [...values.only, ...(failed === undefined ? [] : brokenIn(failed, seed))],
    readOnly: values['read-only'],
    seed,
    concurrency: readNumber('--concurrency', values.concurrency, 4, 1),
    ...(pace !== undefined && { callsPerMinute: readNumber('--calls-per-minute', pace, 60, 1) }),
    maximumWaitSeconds: readNumber('--max-wait', values['max-wait'], 300, 0),
  } as const;
}

/** Judges a running server. */
export const verifyCommand: Command = {
  name: 'verify',
  summary: 'plays scenarios against a server and judges every answer',
  help: verifyHelp,
  run,
};
