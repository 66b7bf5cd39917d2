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

/** 0: the contract is kept. 1: it is not. 2: it could not be judged. */
export type ExitCode = 0 | 1 | 2;

/** Environment of a command; tests supply their own. */
export interface Surroundings {
  out(text: string): void;
  error(text: string): void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** True if the output may use colours. */
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}
