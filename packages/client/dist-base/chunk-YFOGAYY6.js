// src/errors.ts
import { documentationUrl } from "@speech-api/types/constants";
var kindsKey = /* @__PURE__ */ Symbol.for("@speech-api/client/error-kinds");
var namesOfGuards = /* @__PURE__ */ new WeakMap();
function guard(name) {
  const isInstance = (value) => {
    try {
      const kinds = value?.[kindsKey];
      return Array.isArray(kinds) && kinds.includes(name);
    } catch {
      return false;
    }
  };
  namesOfGuards.set(isInstance, name);
  return isInstance;
}
var SpeechError = class extends Error {
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
  static isInstance = guard("SpeechError");
  /** Names the class for programs and dashboards and never changes: `timeout`, `not_found`, `too_many_requests`. */
  code;
  /** Link to the documentation of this error and its remedy: a URL, or a path if the site has no address. */
  documentation;
  constructor(message, options) {
    super(message, options);
    const kinds = [];
    for (let level = new.target; level.isInstance; level = Object.getPrototypeOf(level)) {
      kinds.push(namesOfGuards.get(level.isInstance) ?? "");
    }
    const [kind = ""] = kinds;
    Object.defineProperty(this, "name", { value: kind, configurable: true, writable: true });
    Object.defineProperty(this, kindsKey, { value: kinds });
    this.code = kind.slice(0, -"Error".length).replace(/\B[A-Z]/g, "_$&").toLowerCase();
    this.documentation = `${documentationUrl}/errors/#${kind.toLowerCase()}`;
  }
  /** The JSON form, including the name and the message, which `JSON.stringify` leaves out of other errors. */
  toJSON() {
    return Object.assign({ name: this.name, message: this.message }, this);
  }
};
var ConfigurationError = class extends SpeechError {
  static isInstance = guard("ConfigurationError");
};
var RequestError = class extends SpeechError {
  static isInstance = guard("RequestError");
  /** The field at fault, as it is named on the wire: `sample_rate`, `prosody.speed`, or `model` for the header. */
  field;
  /** The id of the rule of the specification that is broken, where there is one. */
  rule;
  constructor(message, context) {
    super(message, "cause" in context ? { cause: context.cause } : void 0);
    this.field = context.field;
    this.rule = context.rule;
  }
};
var ConnectionError = class extends SpeechError {
  static isInstance = guard("ConnectionError");
};
var AbortError = class extends SpeechError {
  static isInstance = guard("AbortError");
  constructor(cause) {
    super("the call was aborted", { cause });
  }
};
var waitedFor = {
  queue: "no place among the calls that may run at once",
  headers: "no response headers",
  firstByte: "no first byte of the body",
  idle: "no further bytes",
  total: "no complete answer",
  training: "no trained voice model"
};
var TimeoutError = class extends SpeechError {
  static isInstance = guard("TimeoutError");
  /**
   * The phase that timed out: waiting for a place in the queue, the response headers, the first byte of the
   * body, its next bytes, the whole call, or a training.
   */
  phase;
  /** The deadline that passed, in milliseconds. */
  milliseconds;
  constructor(phase, milliseconds) {
    const option = phase === "training" ? "deadline" : `timeouts.${phase}`;
    const instead = phase === "queue" ? "read or cancel the audio of earlier calls, such as .then((audio) => audio.bytes()), or " : "";
    super(`${waitedFor[phase]} within ${milliseconds} ms; ${instead}set ${option} to wait longer`);
    this.phase = phase;
    this.milliseconds = milliseconds;
  }
};
var ProtocolError = class extends SpeechError {
  static isInstance = guard("ProtocolError");
  /** HTTP status of the answer. */
  status;
  /** The trace id of the call, 32 hex digits, worth quoting to support. */
  traceId;
  // Private: it may be a transcript, and errors get logged whole.
  #body;
  constructor(message, context = {}) {
    super(message, context.cause === void 0 ? void 0 : { cause: context.cause });
    this.status = context.status;
    this.traceId = context.traceId;
    this.#body = context.body;
  }
  /** The parsed body of a JSON answer that lacks a field, so that nothing paid for is lost; otherwise undefined. */
  get body() {
    return this.#body;
  }
};
function toSpeechError(error, redact, make) {
  if (SpeechError.isInstance(error)) return error;
  let reason = "unknown reason";
  let shown;
  try {
    const { cause, message } = Object(error);
    if (SpeechError.isInstance(cause)) return cause;
    const code = typeof cause?.code === "string" ? cause.code : void 0;
    const thrown = typeof error === "string" ? error : reason;
    reason = redact(String(code ?? cause?.message ?? message ?? thrown));
    shown = withoutKey(error, redact);
  } catch {
  }
  return make(reason, shown);
}
function withoutKey(error, redact) {
  return holdsKey(error, redact) ? masked(error, redact) : error;
}
function holdsKey(value, redact, depth = 0) {
  if (typeof value === "string") return redact(value) !== value;
  if (typeof value !== "object" || value === null || depth > 3) return false;
  const { message, stack, cause } = value;
  return [message, stack, cause, ...Object.values(value)].some((part) => holdsKey(part, redact, depth + 1));
}
function masked(error, redact) {
  const { name = "Error", message = error, stack = "", cause } = Object(error);
  const made = new Error(
    redact(String(message)),
    cause === void 0 ? {} : { cause: masked(cause, redact) }
  );
  return Object.assign(made, { name, stack: redact(stack) });
}

export {
  guard,
  SpeechError,
  ConfigurationError,
  RequestError,
  ConnectionError,
  AbortError,
  TimeoutError,
  ProtocolError,
  toSpeechError,
  withoutKey
};
