import { Option } from '@speech-api/program';
import { UsageError } from '../errors.ts';

/** A command of `speech-contract`. Its help is made from its options. */
export interface Command<Values> {
  readonly name: string;
  /** One line for the overview. */
  readonly summary: string;
  /** An argument and its meaning. */
  readonly takes?: readonly [name: string, meaning: string];
  readonly options: readonly Option[];
  /** What its help says below the options. */
  readonly notes: string;
  /** @throws UsageError for wrong arguments, and CannotJudge when there is nothing to judge: both end with 2 */
  run(values: Values, words: readonly string[], surroundings: Surroundings): Promise<ExitCode>;
}

/** 0: the contract is kept. 1: it is broken. 2: it could not be judged. */
export type ExitCode = 0 | 1 | 2;

/** Environment of a command; tests supply their own. */
export interface Surroundings {
  out(text: string): void;
  error(text: string): void;
  readonly environment: Readonly<Record<string, string | undefined>>;
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

export function profileOption(): Option {
  return new Option('--profile <profile>', 'full, or stateless: judges each answer alone, for mocks')
    .choices(['full', 'stateless'])
    .default('full');
}
