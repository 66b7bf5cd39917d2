import { documentationUrl } from '@speech-api/types/constants';

/** The property that `isInstance` reads: the same symbol in every loaded copy of the package. */
const kindsKey: unique symbol = Symbol.for('@speech-api/client/error-kinds');

/** Type guard for an error class; needs no `this`, so it can be passed on as a function. */
export type ErrorGuard<Instance> = (value: unknown) => value is Instance;

/** The literal name of each class by its guard; it survives minifying, which `constructor.name` does not. */
const namesOfGuards = /* @__PURE__ */ new WeakMap<object, string>();

/** @internal */
export function guard<Instance>(name: string): ErrorGuard<Instance> {
  const isInstance: ErrorGuard<Instance> = (value): value is Instance => {
    const kinds = (value as { [kindsKey]?: unknown } | null | undefined)?.[kindsKey];
    return Array.isArray(kinds) && kinds.includes(name);
  };
  namesOfGuards.set(isInstance, name);
  return isInstance;
}

/**
 * Base class of all errors of the client.
 *
 * No error holds the API key, the text to speak or audio, so each may be logged as it is.
 */
export abstract class SpeechError extends Error {
  /**
   * True if `value` is an error of this class or of a subclass, even one made by another copy of the package,
   * for which `instanceof` returns false.
   *
   * @example
   * ```ts
   * import { createSpeechClient, NotFoundError } from '@speech-api/client';
   *
   * try {
   *   await createSpeechClient().models.get('nobody');
   * } catch (error) {
   *   if (NotFoundError.isInstance(error)) console.log(error.code, error.status, error.traceId);
   *   else throw error;
   * }
   * ```
   */
  static readonly isInstance: ErrorGuard<SpeechError> = guard('SpeechError');

  declare readonly name: string;

  /** Names the class for programs and dashboards and never changes: `timeout`, `not_found`, `too_many_requests`. */
  readonly code: string;

  /** Link to the documentation of this error and its remedy: a URL, or a path if the site has no address. */
  readonly documentation: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    const kinds: string[] = [];
    for (let level: typeof SpeechError = new.target; level.isInstance; level = Object.getPrototypeOf(level)) {
      kinds.push(namesOfGuards.get(level.isInstance) ?? '');
    }
    const [kind = ''] = kinds;
    // Not enumerable, so that a logged error does not show the marker.
    Object.defineProperty(this, 'name', { value: kind, configurable: true, writable: true });
    Object.defineProperty(this, kindsKey, { value: kinds });
    this.code = kind
      .slice(0, -'Error'.length)
      .replace(/\B[A-Z]/g, '_$&')
      .toLowerCase();
    this.documentation = `${documentationUrl}/errors/#${kind.toLowerCase()}`;
  }

  /**
   * True if the service may have done the work of the call, and billed it, although the call failed. False for a call that was
   * refused, that waited for its place, or whose connection was refused, as far as the runtime says so; browsers do not.
   */
  get perhapsBilled(): boolean {
    const { name, message, phase } = this as { name: string; message: string; phase?: TimeoutPhase };
    if (name === 'ConnectionError') return !/ECONNREFUSED|connection ?refused/i.test(message);
    if (name === 'TimeoutError') return phase !== 'queue';
    return ['ServerError', 'ProtocolError', 'AbortError'].includes(name);
  }

  /** The JSON form, including the name and the message, which `JSON.stringify` leaves out of other errors. */
  toJSON(): object {
    return Object.assign({ name: this.name, message: this.message }, this);
  }
}

/** `createSpeechClient` was called with settings that cannot work; the message names the option and the variable. */
export class ConfigurationError extends SpeechError {
  static override readonly isInstance: ErrorGuard<ConfigurationError> = guard('ConfigurationError');
  declare readonly name: 'ConfigurationError';
}

/** The request cannot succeed, so it was refused here: nothing was sent and nothing is billed. */
export class RequestError extends SpeechError {
  static override readonly isInstance: ErrorGuard<RequestError> = guard('RequestError');
  declare readonly name: 'RequestError';

  /** The field at fault, as it is named on the wire: `sample_rate`, `prosody.speed`, or `model` for the header. */
  readonly field: string;
  /** The id of the rule of the specification that is broken, where there is one. */
  readonly rule: string | undefined;

  constructor(message: string, context: Pick<RequestError, 'field'> & Partial<RequestError>) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.field = context.field;
    this.rule = context.rule;
  }
}

/**
 * The service could not be reached, or the connection broke before the answer was complete.
 *
 * `cause` is the error of `fetch`. For a POST it is unknown whether the service did (and billed) the work.
 */
export class ConnectionError extends SpeechError {
  static override readonly isInstance: ErrorGuard<ConnectionError> = guard('ConnectionError');
  declare readonly name: 'ConnectionError';
}

/** The caller ended the call, by its signal or with `cancel()`. `cause` is the reason the signal was given. */
export class AbortError extends SpeechError {
  static override readonly isInstance: ErrorGuard<AbortError> = guard('AbortError');
  declare readonly name: 'AbortError';

  constructor(cause?: unknown) {
    super('the call was aborted', { cause });
  }
}

/** The phase of a call that timed out. */
export type TimeoutPhase = keyof typeof waitedFor;

const waitedFor = {
  queue: 'no place among the calls that may run at once',
  headers: 'no response headers',
  firstByte: 'no first byte of the body',
  idle: 'no further bytes',
  total: 'no complete answer',
  training: 'no trained voice model',
} as const;

/** A deadline passed; {@link TimeoutError.phase} says which. The connection was closed. */
export class TimeoutError extends SpeechError {
  static override readonly isInstance: ErrorGuard<TimeoutError> = guard('TimeoutError');
  declare readonly name: 'TimeoutError';

  /**
   * The phase that timed out: waiting for a place in the queue, the response headers, the first byte of the
   * body, its next bytes, the whole call, or a training.
   */
  readonly phase: TimeoutPhase;
  /** The deadline that passed, in milliseconds. */
  readonly milliseconds: number;

  /** @param state - The last state of a training that was waited for. */
  constructor(phase: TimeoutPhase, milliseconds: number, state?: string) {
    const option = phase === 'training' ? 'deadline' : `timeouts.${phase}`;
    // An unread answer keeps its place, so waiting longer alone may never help.
    const instead = phase === 'queue' ? 'read or cancel the audio of earlier calls, or ' : '';
    const last = state === undefined ? '' : `; its state is "${state}"`;
    super(`${waitedFor[phase]} within ${milliseconds} ms${last}; ${instead}set ${option} to wait longer`);
    this.phase = phase;
    this.milliseconds = milliseconds;
  }
}

/**
 * The service answered, but not with what its specification promises: HTML where audio was asked for, a
 * redirect, an empty clip, half a sample, a malformed event.
 */
export class ProtocolError extends SpeechError {
  static override readonly isInstance: ErrorGuard<ProtocolError> = guard('ProtocolError');
  declare readonly name: 'ProtocolError';

  /** HTTP status of the answer. */
  readonly status: number | undefined;
  /** The trace id of the call, 32 hex digits, worth quoting to support. */
  readonly traceId: string | undefined;
  // Private: it may be a transcript, and errors get logged whole.
  readonly #body: unknown;

  constructor(message: string, context: Partial<ProtocolError> = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.status = context.status;
    this.traceId = context.traceId;
    this.#body = context.body;
  }

  /**
   * What the service sent in place of the promised answer, so that nothing paid for is lost: parsed JSON, its text, or its bytes.
   * Loggers do not see it.
   */
  get body(): unknown {
    return this.#body;
  }
}

/**
 * Returns an error of this package: the error itself, its cause, or the result of `make` for it without the key.
 *  @internal
 */
export function toSpeechError(
  error: unknown,
  redact: (text: string) => string,
  make: (reason: string, cause: unknown) => SpeechError,
): SpeechError {
  if (SpeechError.isInstance(error)) return error;
  // `fetch failed` alone says nothing; the real reason is in the cause, under different codes by runtime.
  const { cause, message } = Object(error) as {
    cause?: Partial<Error & { code: unknown }>;
    message?: unknown;
  };
  if (SpeechError.isInstance(cause)) return cause;
  // The code of a DOMException is a number.
  const code = typeof cause?.code === 'string' ? cause.code : undefined;
  const reason = redact(String(code ?? cause?.message ?? message ?? error));
  return make(reason, withoutKey(error, redact));
}

/** The error itself, or a copy with masked texts if the error or one of its causes contains the key. @internal */
export function withoutKey(error: unknown, redact: (text: string) => string): unknown {
  return holdsKey(error, redact) ? masked(error, redact) : error;
}

function holdsKey(value: unknown, redact: (text: string) => string, depth = 0): boolean {
  if (typeof value === 'string') return redact(value) !== value;
  if (typeof value !== 'object' || value === null || depth > 3) return false;
  const { message, stack, cause } = value as Partial<Error>;
  return [message, stack, cause, ...Object.values(value)].some((part) => holdsKey(part, redact, depth + 1));
}

function masked(error: unknown, redact: (text: string) => string): unknown {
  const { name = 'Error', message = error, stack = '', cause } = Object(error) as Partial<Error>;
  const made = new Error(
    redact(String(message)),
    cause === undefined ? {} : { cause: masked(cause, redact) },
  );
  return Object.assign(made, { name, stack: redact(stack) });
}
