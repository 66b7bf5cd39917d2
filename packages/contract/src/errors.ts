/** The arguments are wrong; the message says what would be right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** There is nothing to judge, such as a file that can't be read or a server that does not answer. */
export class CannotJudge extends Error {
  override readonly name = 'CannotJudge';
  /** `key` if the server does not accept it, `no-server` if nothing answers, or a reason of a report's circumstances. */
  readonly reason: string;

  constructor(message: string, reason = 'nothing-to-judge') {
    super(message);
    this.reason = reason;
  }
}
