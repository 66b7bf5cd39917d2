import type { ParseArgsOptionsConfig } from 'node:util';
import {
  type Command,
  type ExitCode,
  listenForInterrupt,
  parseWords,
  readKey,
  readNumber,
  readProfile,
  type Surroundings,
} from '../command/command.ts';
import { deliver, readReportPlan, reportHelp, reportOptions } from '../command/report-options.ts';
import { UsageError } from '../errors.ts';
import type { Cost, RunSummary } from '../judge/report.ts';
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

/** The options of `verify`. */
const verifyOptions = {
  target: { type: 'string' },
  live: { type: 'string' },
  quick: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true, default: [] },
  operations: { type: 'string', multiple: true, default: [] },
  except: { type: 'string', multiple: true, default: [] },
  'read-only': { type: 'boolean', default: false },
  profile: { type: 'string', default: 'full' },
  deterministic: { type: 'boolean', default: false },
  'max-calls': { type: 'string' },
  'max-characters': { type: 'string' },
  'max-audio-seconds': { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  timeout: { type: 'string', default: '20' },
  'calls-per-minute': { type: 'string' },
  'max-wait': { type: 'string', default: '300' },
  ...reportOptions,
} as const satisfies ParseArgsOptionsConfig;

type Values = ReturnType<typeof parseWords<typeof verifyOptions>>['values'];

async function run(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { values } = parseWords(words, verifyOptions);
  const { out, error } = surroundings;
  const options = readVerifyOptions(values);
  const reports = readReportPlan(values);
  checkNames(options.only);
  const plan = planFor(options);
  if (values['dry-run']) {
    out(describePlan(plan, readTarget({ ...options, key: 'none' })));
    return 0;
  }
  // The address and the key are checked before anything is announced.
  const { base, key } = readTarget({ ...options, key: readKey(surroundings) });
  const show = (text: string) => error(hideKey(text, key));
  show(`Sending ${costInWords(plan.cost)} at most to ${base}.\n`);
  const progress = createProgress(show);
  const interrupt = listenForInterrupt(() => {
    progress.clear();
    error('Interrupted. Deleting what was created; interrupt again to exit at once.\n');
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
    interrupt.release();
    progress.clear();
  }
}

/** @throws UsageError when a name fits no scenario and none of its calls */
function checkNames(only: readonly string[]): void {
  const unknown = only.find((name) => !scenarios.some((scenario) => isNamed(scenario, name)));
  if (unknown !== undefined)
    throw new UsageError(`--only ${unknown}: there is no such scenario or call. --dry-run lists all.`);
}

const verifyHelp = `speech-contract verify: play scenarios against a server and judge every answer

Usage: SPEECH_API_KEY=... speech-contract verify --target URL [options]

The key is read only from the environment variable SPEECH_API_KEY, because other users of a machine can read command
lines.

  --target URL            base address of the HTTP API, without /v1
  --live URL              base address of the live socket (default: that of --target, with ws or wss)
  --profile P             full, or stateless: judges each answer alone, for mocks (default full)
  --deterministic         the server gives the same audio for the same request, so compare it

  --quick                 about a quarter of the scenarios, which show something of everything
  --operations NAMES      only these operations, such as listModels,createSpeech; the others are not judged
  --except NAMES          not these operations, such as getApiCredit,getPackage for a key without rights to the wallet
  --only NAME             only this scenario, or the one with this call, by the name that a report prints; NAME* stands
                          for all that begin with NAME; may be repeated
  --read-only             does not create, change or delete voice models
  --max-calls N           maximum number of calls (default ${defaultLimits.calls})
  --max-characters N      maximum number of characters to speak (default ${defaultLimits.characters})
  --max-audio-seconds N   maximum number of seconds to transcribe (default ${defaultLimits.audioSeconds})
  --dry-run               prints what would be sent and what it costs, and sends nothing

  --timeout SECONDS       how long to wait for the next byte of an answer (default 20); the first answer, and a whole
                          call, may take ${longestCallSeconds} seconds
  --calls-per-minute N    starts at most this many calls per minute
  --max-wait SECONDS      how long to wait in total when the server asks for it with Retry-After (default 300)

${reportHelp}`;

/** @throws UsageError when a value is invalid */
function readVerifyOptions(values: Values) {
  const { target, live, 'calls-per-minute': pace } = values;
  if (target === undefined)
    throw new UsageError(
      '--target is missing. Give the base address of the server: --target http://127.0.0.1:4010',
    );
  const { calls, characters, audioSeconds } = defaultLimits;
  return {
    target,
    ...(live !== undefined && { live }),
    quick: values.quick,
    only: values.only,
    operations: readOperations('--operations', values.operations),
    except: readOperations('--except', values.except),
    readOnly: values['read-only'],
    profile: readProfile(values.profile),
    deterministic: values.deterministic,
    limits: {
      calls: readNumber('--max-calls', values['max-calls'], calls, 1),
      characters: readNumber('--max-characters', values['max-characters'], characters, 0),
      audioSeconds: readNumber('--max-audio-seconds', values['max-audio-seconds'], audioSeconds, 0),
    },
    transport: { idleMs: 1000 * readNumber('--timeout', values.timeout, 20, 1) },
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
