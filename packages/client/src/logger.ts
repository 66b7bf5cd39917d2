/** What is written about a call. Never a text to speak, a transcript, audio or a key, at any level. */
export interface LogFields {
  /** The operation of the specification, such as `createSpeech`. */
  readonly operationId: string;
  /** 1 for the first try. */
  readonly attempt?: number;
  readonly status?: number;
  /** Time since the call began. */
  readonly milliseconds?: number;
  readonly traceId?: string | undefined;
  /** Name of the error that ended the call, such as `TimeoutError`. */
  readonly error?: string;
}

/** Where the client writes what it does; `console` fits. Each level may be missing. */
export interface Logger {
  debug?(message: string, fields: LogFields): void;
  warn?(message: string, fields: LogFields): void;
}
