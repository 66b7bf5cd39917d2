import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { UsageError } from '../errors.ts';
import type { Profile } from '../judge/report.ts';

/** A command of `speech-contract`. */
export interface Command {
  readonly name: string;
  /** One line for the overview. */
  readonly summary: string;
  /** The output of `--help`. */
  readonly help: string;
  /** @throws UsageError for wrong arguments, and CannotJudge when there is nothing to judge: both end with 2 */
  run(words: readonly string[], surroundings: Surroundings): Promise<ExitCode>;
}

/** 0: the contract is kept. 1: it is broken. 2: it could not be judged. */
export type ExitCode = 0 | 1 | 2;

/** Environment of a command; tests supply their own. */
export interface Surroundings {
  out(text: string): void;
  error(text: string): void;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** @throws UsageError when an argument is not one of the options */
export function parseWords<const Options extends ParseArgsOptionsConfig>(
  words: readonly string[],
  options: Options,
  allowPositionals = false,
) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals });
  } catch (error) {
    throw usageErrorOf(error);
  }
}

/** The error for arguments that `parseArgs` rejects. */
function usageErrorOf(error: unknown): UsageError {
  const message = error instanceof Error ? error.message : String(error);
  const [, name] = /^Unknown option '--([\w-]+)/.exec(message) ?? [];
  if (name === undefined) return new UsageError(message);
  if (name.includes('key'))
    return new UsageError(
      `Unknown option --${name}. Put the key of the server into the environment variable SPEECH_API_KEY.`,
    );
  return new UsageError(`Unknown option --${name}.`);
}

/** @throws UsageError when no key is set */
export function readKey({ environment: { SPEECH_API_KEY: key } }: Surroundings): string {
  if (key === undefined || key.trim() === '') {
    throw new UsageError(
      'SPEECH_API_KEY is not set. Set it to the key of the server. The key cannot be an option, ' +
        'because other users of the machine can read command lines.',
    );
  }
  return key;
}

export function readNumber(
  option: string,
  text: string | undefined,
  usual: number,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number {
  if (text === undefined) return usual;
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < least || value > most) {
    const range = most === Number.MAX_SAFE_INTEGER ? `, at least ${least}` : ` from ${least} to ${most}`;
    throw new UsageError(`${option} must be a whole number${range}, not "${text}".`);
  }
  return value;
}

/** @throws UsageError when it is no profile */
export function readProfile(value: string): Profile {
  if (value === 'full' || value === 'stateless') return value;
  throw new UsageError(`--profile must be full or stateless, not "${value}".`);
}

/** A signal that Ctrl-C and a request to end abort, and the way to stop listening. */
interface Interrupt {
  readonly signal: AbortSignal;
  release(): void;
}

/**
 * The first Ctrl-C aborts, so that what was made is deleted; a second one ends the process at once.
 *
 * @param onFirst tells the user what happens now
 */
export function listenForInterrupt(onFirst: () => void): Interrupt {
  const controller = new AbortController();
  const listen = () => {
    release();
    onFirst();
    controller.abort();
  };
  const release = () => {
    process.off('SIGINT', listen);
    process.off('SIGTERM', listen);
  };
  process.on('SIGINT', listen);
  process.on('SIGTERM', listen);
  return { signal: controller.signal, release };
}
