/** The place in a file where an exchange was recorded. */
export interface Source {
  /** As it was named, such as on a command line. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
}
