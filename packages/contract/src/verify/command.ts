import { Option, onInterrupt, repeated, wholeNumber } from '@speech-api/program';
import {
  type Command,
  type ExitCode,
  profileOption,
  readKey,
  type Surroundings,
} from '../command/command.ts';
import { deliver, type ReportValues, readReportPlan, reportOptions } from '../command/report-options.ts';
import { UsageError } from '../errors.ts';
import type { Cost, Profile, RunSummary } from '../judge/report.ts';
import { hideKey } from '../key.ts';
import { countOf } from '../report/text.ts';
import {
  addCosts,
  type Choice,
  costOf,
  defaultLimits,
  isNamed,
  noCost,
  notNamed,
  readOperations,
  scenarios,
} from './choose.ts';
import { firstCall } from './preflight.ts';
import { readTarget, type Target } from './request.ts';
import { longestCallSeconds, planFor, verify } from './verify.ts';

/** Values of a command line. */
interface Values extends ReportValues {
  readonly target?: string;
  readonly live?: string;
  readonly profile: Profile;
  readonly deterministic?: true;
  readonly quick?: true;
  readonly operations?: readonly string[];
  readonly except?: readonly string[];
  readonly only?: readonly string[];
  readonly readOnly?: true;
  readonly maxCalls: number;
  readonly maxCharacters: number;
  readonly maxAudioSeconds: number;
  readonly dryRun?: true;
  readonly timeout: number;
  readonly callsPerMinute?: number;
  readonly maxWait: number;
}

async function run(values: Values, _words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { out, error } = surroundings;
  const options = readVerifyOptions(values);
  const reports = readReportPlan(values);
  checkNames(options.only);
  const plan = planFor(options);
  if (values.dryRun) {
    out(describePlan(plan, readTarget({ ...options, key: 'none' })));
    return 0;
  }
  // The address and the key are checked before anything is announced.
  const { base, key } = readTarget({ ...options, key: readKey(surroundings) });
  const show = (text: string) => error(hideKey(text, key));
  show(`Sending ${costInWords(plan.cost)} at most to ${base}.\n`);
  const progress = createProgress(show);
  const interrupt = new AbortController();
  const release = onInterrupt(() => {
    progress.clear();
    error('Interrupted. Deleting what was created; interrupt again to exit at once.\n');
    interrupt.abort();
  });
  try {
    const report = await verify({
      ...options,
      baseline: reports.baseline,
      key,
      signal: interrupt.signal,
      onProgress: progress.show,
      onWait: (seconds, status) => {
        progress.clear();
        error(`The server answered ${status} and asked to wait: continuing in ${seconds} s.\n`);
      },
    });
    progress.clear();
    const code = await deliver(report, reports, surroundings);
    error(`\n${describeRun(report.run)}`);
    return report.run.interrupted ? 2 : code;
  } finally {
    release();
    progress.clear();
  }
}

/** @throws UsageError when a name fits no scenario and none of its calls */
function checkNames(only: readonly string[]): void {
  const unknown = only.find((name) => !scenarios.some((scenario) => isNamed(scenario, name)));
  if (unknown !== undefined)
    throw new UsageError(`--only ${unknown}: there is no such scenario or call. --dry-run lists all.`);
}

function options(): Option[] {
  const { calls, characters, audioSeconds } = defaultLimits;
  return [
    new Option('--target <url>', 'base address of the HTTP API, without /v1'),
    new Option(
      '--live <url>',
      'base address of the live socket; without it, that of --target, with ws or wss',
    ),
    profileOption(),
    new Option('--deterministic', 'the server gives the same audio for the same request, so compare it'),
    new Option('--quick', 'about a quarter of the scenarios, which show something of everything'),
    new Option(
      '--operations <names>',
      'only these operations, such as listModels,createSpeech; the others are not judged',
    ).argParser(repeated()),
    new Option(
      '--except <names>',
      'not these operations, such as getApiCredit,getPackage for a key without rights to the wallet',
    ).argParser(repeated()),
    new Option(
      '--only <name>',
      'only this scenario, or the one with this call, by the name that a report prints; NAME* stands for all that begin with NAME; may be repeated',
    ).argParser(repeated()),
    new Option('--read-only', 'do not create, change or delete voice models'),
    number('--max-calls <count>', 'maximum number of calls', 1, calls),
    number('--max-characters <count>', 'maximum number of characters to speak', 0, characters),
    number('--max-audio-seconds <seconds>', 'maximum number of seconds to transcribe', 0, audioSeconds),
    new Option('--dry-run', 'print what would be sent and what it costs, and send nothing'),
    number(
      '--timeout <seconds>',
      `how long to wait for the next byte of an answer; the first answer, and a whole call, may take ${longestCallSeconds} seconds`,
      1,
      20,
    ),
    new Option('--calls-per-minute <count>', 'start at most this many calls per minute').argParser(
      wholeNumber(1),
    ),
    number(
      '--max-wait <seconds>',
      'how long to wait in total when the server asks for it with Retry-After',
      0,
      300,
    ),
    ...reportOptions(),
  ];
}

function number(flags: string, meaning: string, minimum: number, usual: number): Option {
  return new Option(flags, meaning).argParser(wholeNumber(minimum)).default(usual);
}

/** @throws UsageError when a value is invalid */
function readVerifyOptions(values: Values) {
  const { target, live, callsPerMinute, only = [], operations = [], except = [] } = values;
  if (target === undefined)
    throw new UsageError(
      '--target is missing. Give the base address of the server: --target http://127.0.0.1:4010',
    );
  return {
    target,
    ...(live !== undefined && { live }),
    quick: values.quick ?? false,
    only,
    operations: readOperations('--operations', operations),
    except: readOperations('--except', except),
    readOnly: values.readOnly ?? false,
    profile: values.profile,
    deterministic: values.deterministic ?? false,
    limits: {
      calls: values.maxCalls,
      characters: values.maxCharacters,
      audioSeconds: values.maxAudioSeconds,
    },
    transport: { idleMs: 1000 * values.timeout },
    ...(callsPerMinute !== undefined && { callsPerMinute }),
    maximumWaitSeconds: values.maxWait,
  } as const;
}

/** Judges a running server. */
export const verifyCommand: Command<Values> = {
  name: 'verify',
  summary: 'Play scenarios against a server and judge every answer.',
  options: options(),
  notes:
    'The key is read only from the environment variable SPEECH_API_KEY, because other users of a machine can read command\nlines.',
  run,
};

/** Describes for people the calls of a run and their cost. */
function describePlan(plan: Choice, { base }: Target): string {
  const lines = [
    `Nothing is sent. A run would send to ${base}:`,
    '',
    `  ${firstCall.name}`,
    '',
    ...plan.chosen.flatMap((scenario) => [
      `${scenario.name}: ${scenario.about} (${costInWords(scenario.steps.map(costOf).reduce(addCosts, noCost))})`,
      ...scenario.steps.map(({ name }) => `  ${name}`),
      '',
    ]),
    `${costInWords(plan.cost)} at most, if the server does everything that it is asked.`,
    ...linesOf(
      'Left out',
      plan.leftOut.map(({ scenario: { name }, reason }) => ({ name, reason })),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** One line per reason for leaving out scenarios or calls. */
function linesOf(what: string, all: readonly { readonly name: string; readonly reason: string }[]): string[] {
  return [...Map.groupBy(all, ({ reason }) => reason)].map(([reason, entries]) => {
    // Who names scenarios knows that the others are not played.
    if (reason === notNamed) return `${what}, because ${reason}: ${countOf(entries.length, 'scenario')}.`;
    const names = entries.slice(0, 6).map(({ name }) => name);
    const more = entries.length > names.length ? ` and ${entries.length - names.length} more` : '';
    return `${what}, because ${reason}: ${names.join(', ')}${more}.`;
  });
}

function costInWords({ calls, characters, audioSeconds }: Cost): string {
  return [
    countOf(calls, 'call'),
    ...(characters > 0 ? [`${characters} characters`] : []),
    ...(audioSeconds > 0 ? [`${audioSeconds} seconds of audio`] : []),
  ].join(', ');
}

/** Describes for people the finished and missing parts: the last lines of a run. */
function describeRun(run: RunSummary): string {
  const lines = [
    `Sent ${costInWords(run.spent)} in ${(run.milliseconds / 1000).toFixed(1)} s.`,
    ...(run.waited.calls > 0
      ? [
          `Waited ${run.waited.seconds} s at the server's request, then sent ${countOf(run.waited.calls, 'call')} again.`,
        ]
      : []),
    ...linesOf(
      'Left out',
      run.leftOut.map(({ scenario, reason }) => ({ name: scenario, reason })),
    ),
    ...linesOf(
      'Not made',
      run.skipped.map(({ step, reason }) => ({ name: step, reason })),
    ),
    ...(run.interrupted ? ['Interrupted: what was not sent is not judged.'] : []),
    ...(run.leftBehind.length > 0
      ? ['Left on the server, please delete by hand:', ...run.leftBehind.map((entry) => `  ${entry}`)]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** One line that is rewritten while a run is under way, if there is a terminal. */
function createProgress(write: (text: string) => void) {
  const { isTTY, columns = 100 } = process.stderr;
  const put = (text: string) =>
    isTTY ? write(`\r${text.slice(0, columns - 1).padEnd(columns - 1)}`) : undefined;
  return {
    show: (done: number, all: number, name: string) => put(`${done} of ${all}  ${name}`),
    clear: () => {
      put('');
      if (isTTY) write('\r');
    },
  };
}
