import {
  faultHeader,
  readServerOptions,
  type ServerOptionValues,
  serverOptionsHelp,
  versionOf,
} from '@speech-api/server';
import { wellKnownKeys } from './seed.ts';

/** The version of this package. */
export const version = versionOf(import.meta.url);

/** Values from the command line. */
export interface CommandLine extends ServerOptionValues {
  readonly data?: string;
  readonly seed?: string;
  readonly concurrency?: number;
  readonly trainingSeconds?: number;
  readonly showText: boolean;
}

const defaultPort = 4010;
const { first, last } = serverOptionsHelp(defaultPort);

export const helpText = `speech-sandbox: the speech service on one machine

Usage: speech-sandbox [options]

${first}  --data DIR            folder to keep state in; created when it does not exist (default: in memory)
  --seed FILE           accounts, voice models and prices to start with, beside the built-in ones
  --concurrency N       requests of one account that may be under way (default: what the seed data says, 50)
  --training-seconds N  how long the training of a full voice model takes (default 5)
${last}  --show-text           show the beginning of texts among the recent calls at /__sandbox/
  --help                show this text
  --version             show the version

The first line on stdout is the URL; everything else goes to stderr.
`;

/**
 * Reads the command line.
 *
 * @throws Error with a message for a person when an option is unknown or its value is not valid
 */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { shared, own } = readServerOptions(args, {
    defaultPort,
    own: {
      data: { type: 'string' },
      seed: { type: 'string' },
      concurrency: { type: 'string' },
      'training-seconds': { type: 'string' },
      'show-text': { type: 'boolean', default: false },
    },
  });
  const { data, seed } = own;
  const concurrency = readNumber('--concurrency', own.concurrency, /^[1-9]\d{0,5}$/, 'a number from 1');
  const trainingSeconds = readNumber(
    '--training-seconds',
    own['training-seconds'],
    /^\d{1,6}(\.\d+)?$/,
    'seconds',
  );
  return {
    ...shared,
    ...(data === undefined ? {} : { data }),
    ...(seed === undefined ? {} : { seed }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(trainingSeconds === undefined ? {} : { trainingSeconds }),
    showText: own['show-text'],
  };
}

function readNumber(
  option: string,
  value: string | undefined,
  shape: RegExp,
  what: string,
): number | undefined {
  if (value === undefined) return undefined;
  if (shape.test(value)) return Number(value);
  throw new Error(`${option} takes ${what}, not ${value}.`);
}

/** Lines that the command prints once the sandbox listens. */
export function greet(url: string, options: CommandLine): string[] {
  const longest = Math.max(...Object.keys(wellKnownKeys).map((key) => key.length));
  const lines = [
    `Speech sandbox ${version}. Recent calls, to see and to hear: ${url}/__sandbox/`,
    '',
    'Keys:',
    ...Object.entries(wellKnownKeys).map(([key, meaning]) => `  ${key.padEnd(longest)}  ${meaning}`),
    ...(options.seed === undefined ? [] : [`  and those of ${options.seed}`]),
    '',
    'Try:',
    ...tryIt(url).map((line) => `  ${line}`),
    '',
  ];
  if (options.faults !== undefined) lines.push(...greetFaults(options.faults));
  if (!/^(127\.|::1$|localhost$)/.test(options.host)) {
    lines.push(
      `The sandbox listens on ${options.host}: anyone who can reach this machine can call it, with keys that are public.`,
    );
  }
  return lines;
}

function greetFaults(rules: readonly string[]): string[] {
  const header = `Faults are on: the header ${faultHeader} asks for them`;
  return rules.length === 0
    ? [`${header}.`]
    : [`${header}, and so do the rules`, ...rules.map((rule) => `  ${rule}`)];
}

/** A command that speaks, ready to be copied: two lines of one command. */
export function tryIt(url: string): string[] {
  return [
    `curl ${url}/v1/tts -H 'authorization: Bearer sandbox-key' -H 'model: s2-pro' \\`,
    `  -H 'content-type: application/json' -d '{"text":"Hello."}' --output hello.mp3`,
  ];
}
