/** The arguments are wrong; the message says what would be right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** There is nothing to judge, such as a file that can't be read or a server that does not answer. */
export class CannotJudge extends Error {
  override readonly name = 'CannotJudge';
}
