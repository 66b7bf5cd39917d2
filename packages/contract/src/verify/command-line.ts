import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { UsageError } from '../command/failures.ts';
import { reportHelp, reportOptions } from '../command/report-options.ts';
import type { Profile } from '../judge/options.ts';
import { type Budget, defaultBudget, thoroughBudget } from './budget.ts';

/** What the command line of `verify` asks for, reports apart. */
export interface CommandLine {
  readonly target: string;
  readonly live?: string;
  readonly profile: Profile;
  readonly deterministic: boolean;
  readonly only: readonly string[];
  readonly budget: Budget;
  readonly readOnly: boolean;
  readonly dryRun: boolean;
  readonly seed: number;
  readonly concurrency: number;
  readonly timeoutSeconds: number;
}

/** The options of `verify`. */
export const verifyOptions = {
  target: { type: 'string' },
  live: { type: 'string' },
  profile: { type: 'string', default: 'full' },
  deterministic: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true, default: [] },
  'max-calls': { type: 'string' },
  'max-characters': { type: 'string' },
  'max-audio-seconds': { type: 'string' },
  thorough: { type: 'boolean', default: false },
  'read-only': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  seed: { type: 'string', default: '1' },
  concurrency: { type: 'string', default: '4' },
  timeout: { type: 'string', default: '20' },
  ...reportOptions,
  help: { type: 'boolean', default: false },
} as const satisfies ParseArgsOptionsConfig;

export const verifyHelp = `speech-contract verify: play scenarios against a server and judge every answer

Usage: SPEECH_API_KEY=... speech-contract verify --target URL [options]

The key is read from the environment variable SPEECH_API_KEY and from nowhere else: whatever stands on a command
line is seen by everybody who lists the processes of the machine.

  --target URL            base address of the HTTP API, without /v1
  --live URL              base address of the live socket (default: that of --target, with ws or wss)
  --profile P             full, or stateless: judges each answer alone, for mocks (default full)
  --deterministic         the server gives the same audio for the same request, so compare it

  --max-calls N           calls at most (default ${defaultBudget.calls}; with --thorough ${thoroughBudget.calls})
  --max-characters N      characters of text to speak at most (default ${defaultBudget.characters}; ${thoroughBudget.characters})
  --max-audio-seconds N   seconds of audio to transcribe at most (default ${defaultBudget.audioSeconds}; ${thoroughBudget.audioSeconds})
  --thorough              the whole set of scenarios, with the larger limits above
  --read-only             makes, changes and deletes no voice model
  --only NAME             this scenario alone, or those that begin with NAME where it ends in *; may be repeated
  --dry-run               prints what would be sent and what it costs, and sends nothing

  --seed N                chooses the generated requests (default 1)
  --concurrency N         scenarios under way at the same time (default 4)
  --timeout SECONDS       how long to wait for the next byte of an answer (default 20)

${reportHelp}`;

/** @throws UsageError when a value is no good */
export function readVerifyOptions(values: ReturnType<typeof parseVerify>): CommandLine {
  const { target, live, profile, thorough } = values;
  if (target === undefined)
    throw new UsageError(
      '--target is missing. Give the base address of the server: --target http://127.0.0.1:4010',
    );
  if (profile !== 'full' && profile !== 'stateless') {
    throw new UsageError(`--profile must be full or stateless, not "${profile}".`);
  }
  const whole = thorough ? thoroughBudget : defaultBudget;
  return {
    target,
    ...(live !== undefined && { live }),
    profile,
    deterministic: values.deterministic,
    only: values.only,
    budget: {
      calls: readNumber('--max-calls', values['max-calls'], whole.calls, 1),
      characters: readNumber('--max-characters', values['max-characters'], whole.characters, 0),
      audioSeconds: readNumber('--max-audio-seconds', values['max-audio-seconds'], whole.audioSeconds, 0),
    },
    readOnly: values['read-only'],
    dryRun: values['dry-run'],
    seed: readNumber('--seed', values.seed, 1, 0),
    concurrency: readNumber('--concurrency', values.concurrency, 4, 1),
    timeoutSeconds: readNumber('--timeout', values.timeout, 20, 1),
  };
}

/** @throws UsageError when a word is no option of `verify` */
export function parseVerify(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: verifyOptions }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readNumber(option: string, text: string | undefined, usual: number, least: number): number {
  if (text === undefined) return usual;
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < least) {
    throw new UsageError(`${option} must be a whole number, at least ${least}, not "${text}".`);
  }
  return value;
}
