import {
  SpeechError,
  guard
} from "./chunk-YFOGAYY6.js";

// src/service-errors.ts
var ApiError = class extends SpeechError {
  static isInstance = guard("ApiError");
  /** HTTP status of the answer. */
  status;
  /** The operation of the specification that was called, such as `createSpeech`. */
  operationId;
  /** The trace id of the call, 32 hex digits, worth quoting to support. */
  traceId;
  /** The single complaints, whenever a validation list came; else empty. */
  issues;
  /** Time in seconds that the service asks to wait; undefined if it does not say. */
  retryAfterSeconds;
  // Private: a server may echo anything in them, the text to speak too, and errors get logged whole.
  #body;
  #headers;
  constructor(message, context) {
    super(message);
    this.status = context.status;
    this.operationId = context.operationId;
    this.traceId = context.traceId;
    this.issues = context.issues;
    this.retryAfterSeconds = context.retryAfterSeconds;
    this.#body = context.body;
    this.#headers = context.headers;
  }
  /** The body: parsed where it was JSON, else its first characters. Never trust its text. Loggers do not see it. */
  get body() {
    return this.#body;
  }
  /** The headers of the answer. Loggers do not see them. */
  get headers() {
    return this.#headers;
  }
};
var BadRequestError = class extends ApiError {
  static isInstance = guard("BadRequestError");
};
var AuthenticationError = class extends ApiError {
  static isInstance = guard("AuthenticationError");
};
var InsufficientCreditError = class extends ApiError {
  static isInstance = guard("InsufficientCreditError");
};
var PermissionDeniedError = class extends ApiError {
  static isInstance = guard("PermissionDeniedError");
};
var NotFoundError = class extends ApiError {
  static isInstance = guard("NotFoundError");
};
var PayloadTooLargeError = class extends ApiError {
  static isInstance = guard("PayloadTooLargeError");
};
var UnsupportedMediaTypeError = class extends ApiError {
  static isInstance = guard("UnsupportedMediaTypeError");
};
var InvalidRequestError = class extends ApiError {
  static isInstance = guard("InvalidRequestError");
};
var TooManyRequestsError = class extends ApiError {
  static isInstance = guard("TooManyRequestsError");
};
var ServerError = class extends ApiError {
  static isInstance = guard("ServerError");
};
var TrainingError = class extends SpeechError {
  static isInstance = guard("TrainingError");
  /** The voice model as it was read last. */
  model;
  constructor(model) {
    super(`the training of the voice model ${model._id} failed`);
    this.model = model;
  }
};

export {
  ApiError,
  BadRequestError,
  AuthenticationError,
  InsufficientCreditError,
  PermissionDeniedError,
  NotFoundError,
  PayloadTooLargeError,
  UnsupportedMediaTypeError,
  InvalidRequestError,
  TooManyRequestsError,
  ServerError,
  TrainingError
};
