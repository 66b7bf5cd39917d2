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
  /**
   * Headers of the request or the answer, of a fixed list: media types, lengths, `model`, trace and limits. Never the
   * key.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** Name of the error that ended the call, such as `TimeoutError`. */
  readonly error?: string;
}

/**
 * Where the client writes what it does; `console` fits. A level that is missing is not written.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 *
 * // Only what went wrong, and what is tried again.
 * const logger = { warn: console.warn, info: console.info };
 * const client = createSpeechClient({ logger });
 * console.log((await client.models.list()).total);
 * ```
 */
export interface Logger {
  /** Each request and each answer, with the headers that may be shown. */
  debug?(message: string, fields: LogFields): void;
  /** That a call waits to be tried again. */
  info?(message: string, fields: LogFields): void;
  /** Each failure. */
  warn?(message: string, fields: LogFields): void;
}
