/** A command of `speech-contract`. */
export interface Command {
  readonly name: string;
  /** One line for the overview. */
  readonly summary: string;
  /** What `--help` prints. */
  readonly help: string;
  /** @throws UsageError for wrong arguments, and CannotJudge when there is nothing to judge: both end with 2 */
  run(words: readonly string[], surroundings: Surroundings): Promise<ExitCode>;
}

/** 0: the contract is kept. 1: it is not. 2: it could not be judged. */
export type ExitCode = 0 | 1 | 2;

/** What a command sees of the world; tests bring their own. */
export interface Surroundings {
  out(text: string): void;
  error(text: string): void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether colours are wanted. */
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}
