/** The exit codes of `speech`, also listed in its help and its README. */
export const exitCodes = {
  done: 0,
  /** The service refused or failed, or a file could not be written. */
  failed: 1,
  /** A wrong option, a missing setting or an input that cannot be used. */
  usage: 2,
  /** The key or the credit is missing or not enough. */
  access: 3,
  /** The service was not reached, or was too slow. */
  network: 4,
  interrupted: 130,
} as const;

/** The command line, or a file that it names, is not usable. The message says what would work. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}
