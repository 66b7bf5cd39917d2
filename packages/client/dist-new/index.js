import {
  createTrace,
  startSpan
} from "./chunk-S3CUOUFO.js";
import {
  readAudio
} from "./chunk-XEBRXCNJ.js";
import {
  after,
  cancelBody,
  collect,
  copyOf,
  foreignFields,
  guarded,
  holdsBinary,
  isBlob,
  isDialogue,
  isTaken,
  joinBytes,
  kindOf,
  limitOf,
  piecesOf,
  requireWhole,
  sleep
} from "./chunk-GLXT3CVP.js";
import {
  isRetryableStatus,
  retryAfterSeconds,
  retryDelay
} from "./chunk-J4TNYB6A.js";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  InsufficientCreditError,
  InvalidRequestError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionDeniedError,
  ServerError,
  TooManyRequestsError,
  TrainingError,
  UnsupportedMediaTypeError
} from "./chunk-KA2THIB5.js";
import {
  AbortError,
  ConfigurationError,
  ConnectionError,
  ProtocolError,
  RequestError,
  SpeechError,
  TimeoutError,
  toSpeechError,
  withoutKey
} from "./chunk-YFOGAYY6.js";

// src/core/http.ts
import { headerNames as headerNames3, mediaTypes as mediaTypes3 } from "@speech-api/types/constants";
import createClient, { defaultPathSerializer } from "openapi-fetch";

// src/encode.ts
import { mediaTypes } from "@speech-api/types/constants";

// src/on-demand.ts
var loaded;
function loadLater() {
  loaded ??= import("./later-HT2OJUDU.js").catch((cause) => {
    loaded = void 0;
    throw new ConnectionError("a part of the client could not be loaded; is its bundle complete?", { cause });
  });
  return loaded;
}

// src/encode.ts
async function encodeBody(value, contentType, streams) {
  const hasBinary = holdsBinary(value);
  const type = contentType ?? (hasBinary ? mediaTypes.msgpack : mediaTypes.json);
  if (hasBinary && type === mediaTypes.json) {
    throw new RequestError("body holds binary, which JSON cannot carry", { field: "body" });
  }
  const headers = type === mediaTypes.multipart ? {} : { "content-type": type };
  if (hasBinary) await (await loadLater()).requireReadable(value);
  if (type === mediaTypes.json) return { body: JSON.stringify(value), headers };
  if (type !== mediaTypes.msgpack) return { body: serializeBody(value, { "content-type": type }), headers };
  const { encodeRequest, streamParts } = await loadLater();
  const { parts, byteLength } = encodeRequest(value);
  if (!streams) return { body: new Blob([...parts]), headers };
  return {
    body: streamParts(parts, byteLength),
    headers: { ...headers, "content-length": String(byteLength) },
    duplex: "half"
  };
}
function serializeBody(value, headers) {
  if (typeof value === "string" || isBodyInit(value)) return value;
  const type = new Headers(headers).get("content-type") ?? mediaTypes.json;
  if (type.startsWith(mediaTypes.urlencoded)) return fill(new URLSearchParams(), Object(value)).toString();
  if (type.startsWith(mediaTypes.multipart)) return fill(new FormData(), Object(value));
  if (type.startsWith(mediaTypes.msgpack)) {
    throw new RequestError("encode MessagePack with @speech-api/msgpack and pass the bytes", {
      field: "body"
    });
  }
  return JSON.stringify(value);
}
function isBodyInit(value) {
  const kinds = [Blob, FormData, URLSearchParams, ReadableStream, ArrayBuffer];
  return ArrayBuffer.isView(value) || kinds.some((kind) => value instanceof kind);
}
function fill(form, fields) {
  for (const [name, field] of Object.entries(fields)) {
    for (const value of [field].flat()) {
      if (value === null || value === void 0) continue;
      if (typeof value !== "object" || form instanceof URLSearchParams) form.append(name, String(value));
      else form.append(name, toBlob(value), value.name ?? name);
    }
  }
  return form;
}
function toBlob(value) {
  return isBlob(value) ? value : new Blob([value]);
}

// src/core/call.ts
import { headerNames as headerNames2 } from "@speech-api/types/constants";

// src/options.ts
import { headerNames } from "@speech-api/types/constants";
var shownHeaders = [
  "accept",
  "content-type",
  "content-length",
  headerNames.model,
  headerNames.traceparent,
  headerNames.traceId,
  headerNames.concurrencyLimit,
  headerNames.concurrencyInUse,
  headerNames.retryAfter
];
function loggedHeaders(headers, redact) {
  const shown = {};
  for (const name of shownHeaders) {
    const value = headers.get(name);
    if (value !== null) shown[name] = redact(value.slice(0, 300));
  }
  return shown;
}

// src/settings.ts
import { defaultModel, mediaTypes as mediaTypes2 } from "@speech-api/types/constants";
var isAtLeast = (minimum) => (value) => typeof value === "number" && value >= minimum;
var isWhole = (value) => Number.isInteger(value) && Number(value) >= 0;
var isHeaderWord = (value) => typeof value === "string" && /^[\x21-\x7e]+$/.test(value);
var isObject = (value) => typeof value === "object" && value !== null;
var oneOf = (...types) => (value) => types.includes(value === null ? "null" : typeof value);
var deadline = ["a number of milliseconds above 0, or Infinity", isAtLeast(Number.MIN_VALUE)];
var delay = ["a number of milliseconds from 0", isAtLeast(0)];
var address = [
  "an address as a string or a URL",
  (value) => typeof value === "string" || kindOf(value) === "URL"
];
var boolean = ["true or false", oneOf("boolean")];
var knownMethods = ["GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS"];
var knownTypes = Object.values(mediaTypes2);
var inBoth = {
  timeouts: { queue: deadline, headers: deadline, firstByte: deadline, idle: deadline, total: deadline },
  retry: {
    retries: ["a whole number from 0", isWhole],
    methods: [
      `a list of ${knownMethods.join(", ")}`,
      (value) => Array.isArray(value) && value.every((name) => knownMethods.includes(String(name).toUpperCase()))
    ],
    minimumDelay: delay,
    maximumDelay: delay
  },
  trace: [
    "a trace, as createTrace() makes it, or false",
    (value) => value === false || typeof value?.traceparent === "function"
  ],
  model: ["a name without spaces", isHeaderWord],
  headers: ["an object of names and texts that a header can carry", areHeaders]
};
var clientChecks = {
  ...inBoth,
  apiKey: ["a text, a function or null", oneOf("string", "function", "null")],
  baseUrl: address,
  webSocketUrl: address,
  fetch: ["a function", oneOf("function")],
  concurrency: [
    "a whole number from 1, or Infinity",
    (value) => value === Number.POSITIVE_INFINITY || isWhole(value) && value !== 0
  ],
  adaptConcurrency: boolean,
  logger: ["an object with functions, such as console", oneOf("object")],
  allowBrowserKey: boolean
};
var callChecks = {
  ...inBoth,
  signal: [
    "an AbortSignal, such as controller.signal",
    (value) => isObject(value) && "aborted" in value && "addEventListener" in value
  ],
  contentType: [`one of ${knownTypes.join(", ")}`, (value) => knownTypes.includes(value)],
  deadline: delay,
  minimumDelay: delay,
  maximumDelay: delay
};
function areHeaders(value) {
  try {
    return isObject(value) && Boolean(new Headers(value));
  } catch {
    return false;
  }
}
function clean(given, checks, refuse, place = "") {
  const kind = kindOf(given);
  if (kind !== "Object" || !isObject(given)) {
    const example = place === "retry" ? ", such as { retries: 3 }" : /^Abort/.test(kind) ? "; did you mean { signal }?" : "";
    throw refuse(place, `${place || "options"} must be an object${example}`);
  }
  const cleaned = {};
  for (const [name, value] of Object.entries(given)) {
    const path = place ? `${place}.${name}` : name;
    const check = Object.hasOwn(checks, name) ? checks[name] : void 0;
    if (check === void 0) {
      const inner = Object.entries(checks).flatMap(
        ([outer, of]) => isRule(of) ? [] : Object.keys(of).map((one) => `${outer}.${one}`)
      );
      const meant = closest(name, [...Object.keys(checks), ...inner]);
      const instead = meant ? `; did you mean ${place && `${place}.`}${meant}?` : "";
      throw refuse(path, `unknown option ${path}${instead}`);
    }
    if (value === void 0) continue;
    cleaned[name] = value;
    if (!isRule(check)) cleaned[name] = clean(value, check, refuse, path);
    else if (!check[1](value)) throw refuse(path, `${path} must be ${check[0]}`);
    else if (check === inBoth.headers) cleaned[name] = Object.fromEntries(new Headers(value));
    else if (name === "methods") cleaned[name] = value.map((method) => method.toUpperCase());
  }
  return cleaned;
}
var isRule = (check) => Array.isArray(check);
function closest(name, known) {
  const letters = (text) => text.toLowerCase().replace(/^.*\.|[^a-z]/g, "");
  const own = letters(name);
  const isMeant = (candidate) => {
    const other = letters(candidate);
    if (own.length > 2 && other.includes(own) || own.includes(other)) return true;
    let missing = other;
    let added = 0;
    for (const letter of own) {
      if (!missing.includes(letter)) added += 1;
      missing = missing.replace(letter, "");
    }
    return added + missing.length <= own.length / 3;
  };
  return known.find(isMeant);
}
function cleanCallOptions(options) {
  return clean(
    options,
    callChecks,
    (field, message) => new RequestError(message, { field: field || "options" })
  );
}
function waitsOf(settings, { timeouts, retry }, endless) {
  const total = endless ? Number.POSITIVE_INFINITY : 6e4;
  const defaults = { queue: 3e5, headers: 6e4, firstByte: 3e4, idle: 3e4, total };
  return {
    timeouts: { ...defaults, ...settings.timeouts, ...timeouts },
    retry: retry ? { ...settings.retry, ...retry } : settings.retry
  };
}
function mergeOptions(base, more) {
  const added = clean(more, clientChecks, refuseOption);
  return {
    ...base,
    ...added,
    headers: { ...base.headers, ...added.headers },
    timeouts: { ...base.timeouts, ...added.timeouts },
    retry: { ...base.retry, ...added.retry }
  };
}
var refuseOption = (_field, message) => new ConfigurationError(message);
var rememberedKeys = 8;
function resolveSettings(given) {
  const options = clean(given, clientChecks, refuseOption);
  const baseUrl = readUrl(options.baseUrl, "baseUrl", "SPEECH_BASE_URL", ["http:", "https:"]);
  if (baseUrl === void 0) {
    throw new ConfigurationError(
      "no base URL: pass baseUrl to createSpeechClient or set SPEECH_BASE_URL (there is no default)"
    );
  }
  const variable = options.baseUrl === void 0 ? "SPEECH_WEBSOCKET_URL" : void 0;
  const webSocketUrl = readUrl(options.webSocketUrl, "webSocketUrl", variable, ["ws:", "wss:"]);
  const { fetch } = options;
  const key = readKey(options);
  let shown = typeof key === "string" ? [key] : [];
  const settings = {
    baseUrl,
    webSocketUrl: webSocketUrl ?? baseUrl.replace(/^http/, "ws"),
    model: options.model ?? defaultModel,
    // The global is looked up at each call, so that instrumentation installed later is used too.
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    headers: options.headers ?? {},
    timeouts: options.timeouts ?? {},
    retry: { retries: 2, methods: ["GET"], minimumDelay: 500, maximumDelay: 1e4, ...options.retry },
    concurrency: options.concurrency ?? Number.POSITIVE_INFINITY,
    adaptConcurrency: options.adaptConcurrency ?? true,
    trace: options.trace,
    logger: options.logger ?? consoleLogger(),
    streamsUploads: fetch === void 0 && streamsUploads(),
    redact: (text) => [...shown].sort((one, other) => other.length - one.length).reduce((masked, secret) => masked.replaceAll(secret, "[key]"), text),
    async authorization() {
      if (typeof key === "function") {
        let given2;
        try {
          given2 = await key();
        } catch (cause) {
          const reason = cause instanceof Error ? cause.message : String(cause);
          throw new ConfigurationError(settings.redact(`apiKey() failed: ${reason}`), {
            cause: withoutKey(cause, settings.redact)
          });
        }
        const latest = requireKey(given2, "the API key that apiKey() gave");
        shown = [.../* @__PURE__ */ new Set([latest, ...shown])].slice(0, rememberedKeys);
      }
      return key === null ? void 0 : `Bearer ${shown[0]}`;
    }
  };
  return Object.defineProperty(settings, "apiKey", {
    get: () => typeof key === "string" ? key : ""
  });
}
function readKey(options) {
  const { apiKey = readVariable("SPEECH_API_KEY") } = options;
  if (apiKey === null || typeof apiKey === "function") return apiKey;
  if (!apiKey) {
    throw new ConfigurationError(
      "no API key: pass apiKey to createSpeechClient or set SPEECH_API_KEY; behind a server of your own pass null"
    );
  }
  requireKey(apiKey, "the API key");
  if (isBrowser() && options.allowBrowserKey !== true) {
    throw new ConfigurationError(
      "an API key in a web page can be read by every visitor; keep it on your own server and let @speech-api/relay carry the calls, or pass allowBrowserKey: true where the key may be seen"
    );
  }
  return apiKey;
}
function requireKey(key, name) {
  if (isHeaderWord(key)) return key;
  throw new ConfigurationError(
    `${name} is empty or has a space, a line break or a character that no header can carry; was it copied whole, and without "Bearer"?`
  );
}
function readUrl(given, option, variable, protocols) {
  const text = given === void 0 ? variable && readVariable(variable) : String(given);
  if (text === void 0 || text === "") return void 0;
  const name = given === void 0 ? variable : option;
  const { href } = globalThis.location ?? {};
  const base = isBrowser() && URL.canParse(href ?? "") ? href?.replace(/^http/, protocols[0] === "ws:" ? "ws" : "http") : void 0;
  const url = URL.canParse(text, base) ? new URL(text, base) : void 0;
  if (!url || !protocols.includes(url.protocol)) {
    throw new ConfigurationError(`${name} must be an address that begins with ${protocols.join("// or ")}//`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ConfigurationError(`${name} must not hold a user name, a password, a query or a fragment`);
  }
  return (url.origin + url.pathname).replace(/\/+$/, "");
}
function readVariable(name) {
  const { process } = globalThis;
  return process?.versions?.node === void 0 ? void 0 : process.env?.[name] || void 0;
}
function consoleLogger() {
  const levels = ["debug", "info", "warn"];
  const named = readVariable("SPEECH_LOG");
  const first = levels.indexOf(named);
  if (named !== void 0 && first < 0)
    console.warn(`SPEECH_LOG is none of ${levels.join(", ")}, so nothing is logged`);
  if (first < 0) return void 0;
  return Object.fromEntries(
    levels.slice(first).map((level) => [level, (message, fields) => console[level](message, fields)])
  );
}
function isBrowser() {
  const scope = globalThis;
  if (/jsdom|happydom|cloudflare-workers|deno|bun/i.test(scope.navigator?.userAgent ?? "")) return false;
  return typeof scope.document === "object" || typeof scope.importScripts === "function";
}
function streamsUploads() {
  const { process, navigator } = globalThis;
  const agent = navigator?.userAgent ?? "Node.js";
  return process?.versions?.node !== void 0 && agent.startsWith("Node.js");
}

// src/core/call.ts
var followers = /* @__PURE__ */ new WeakMap();
function follow(signal, onAbort) {
  const found = followers.get(signal) ?? /* @__PURE__ */ new Set();
  if (!followers.has(signal)) {
    followers.set(signal, found);
    const notifyAll = () => {
      for (const notify of [...found]) notify();
    };
    signal.addEventListener("abort", notifyAll, { once: true });
  }
  found.add(onAbort);
  return () => found.delete(onAbort);
}
var Call = class {
  operationId;
  transport;
  options = {};
  timeouts;
  traceId;
  /** The error that ended the call early. */
  failure;
  /** Status of the latest answer. */
  status;
  /** Ends the reading of the body as soon as the call fails. */
  interrupt;
  inspector;
  #retry;
  #controller = new AbortController();
  /** Ends the request; `fetch` gets it. */
  signal = this.#controller.signal;
  #started = Date.now();
  // Kept: a request that is collected no longer passes on the abort of its signal.
  #request;
  #stage = "preparing";
  #attempt = 0;
  #span;
  #reject;
  #stopPreparing;
  #stopTotal;
  #leave;
  #unfollow;
  #finished = false;
  #asksForKey = false;
  constructor(transport, operationId, given, endless) {
    this.transport = transport;
    this.operationId = operationId;
    try {
      this.options = cleanCallOptions(given);
    } catch (error) {
      this.fail(this.#translated(error));
    }
    const { signal } = this.options;
    const { timeouts, retry } = waitsOf(transport.settings, this.options, endless);
    this.timeouts = timeouts;
    this.#retry = retry;
    const onAbort = () => this.fail(new AbortError(signal?.reason));
    if (signal?.aborted) onAbort();
    else if (signal) this.#unfollow = follow(signal, onAbort);
  }
  /** Settles with the result of `work`, or with the failure of the call even if `work` ignores its signal. */
  answer(work) {
    const answer = this.race(work);
    const value = answer.then(({ data }) => data);
    const withResponse = () => {
      value.catch(() => void 0);
      return answer;
    };
    return Object.assign(value, { withResponse });
  }
  race(work) {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#stage === "preparing") this.#stopPreparing = this.startTimer("headers");
      work.then(
        (value) => {
          this.#reject = void 0;
          resolve(value);
        },
        (error) => {
          const isForeign = this.#stage === "sending" && !SpeechError.isInstance(error);
          if (!isForeign) return reject(this.failure ?? this.end(error));
          this.abandon();
          reject(this.failure ?? error);
        }
      );
      if (this.failure) reject(this.failure);
    });
  }
  /** Everything is prepared: from here on what fails is the connection. */
  begin(span) {
    this.#stopPreparing?.();
    this.#stage = "sending";
    if (this.failure) throw this.failure;
    this.#span = span;
    this.traceId = span?.traceparent.split("-")[1];
  }
  /**
   * Sends the request, and again only where that is allowed. Resolves to a success whose body is read through this call,
   * or to the service's own answer with an error that is complete.
   */
  async exchange(request) {
    const { queue } = this.transport;
    const { retries, methods } = this.#retry;
    this.#request = request;
    const mayRepeat = retries > 0 && methods.includes(request.method) && request.body !== null;
    const ownKey = !request.headers.has(headerNames2.authorization);
    for (; ; ) {
      this.#attempt += 1;
      let delay2;
      if (this.failure) throw this.failure;
      this.#leave = queue.enterNow();
      if (!this.#leave) {
        this.#leave = await this.#within("queue", queue.enter(this.signal));
        if (this.#finished) this.#leave();
      }
      this.#stopTotal ??= this.startTimer("total");
      try {
        this.#log("debug", "request", void 0, this.#request.headers);
        const response = await this.#follow(mayRepeat ? request.clone() : request, ownKey);
        const { status, headers } = response;
        this.#log("debug", "response", { status }, headers);
        queue.learn(status, headers);
        if (response.ok) return guarded(this, response);
        if (isRetryableStatus(status)) delay2 = this.#delay(request, retryAfterSeconds(headers));
        const repeats = delay2 !== void 0 && request.method === "GET";
        const cut = repeats ? void 0 : await (await loadLater()).cutError(this, response);
        if (cut) throw this.end(cut);
        if (delay2 === void 0) {
          this.finish();
          return response;
        }
        cancelBody(response);
      } catch (error) {
        const isRepeatable = ConnectionError.isInstance(error) && !this.failure;
        delay2 = isRepeatable ? this.#delay(request, void 0) : void 0;
        if (delay2 === void 0) throw this.end(error);
        this.#log("warn", "failure", { error: "ConnectionError" });
      }
      this.#leave?.();
      this.#log("info", `waits ${Math.round(delay2)} ms to try again`);
      await sleep(delay2, this.signal);
    }
  }
  /** Ends the call with `failure` and closes its connection. The first failure stays. */
  fail(failure) {
    if (this.failure || this.#finished) return;
    this.failure = failure;
    this.#controller.abort(failure);
    this.interrupt?.(failure);
    this.#reject?.(failure);
    this.finish(failure);
  }
  /** Closes the connection of an answer that is not read to its end. */
  abandon(failure) {
    if (this.#finished) return;
    this.#controller.abort();
    this.finish(failure);
  }
  /** Ends the call for an error that was met outside of it, and gives it back as one of the family. */
  end(error) {
    this.failure ??= this.#translated(error);
    this.abandon(this.failure);
    return this.failure;
  }
  /** The call is over: timers stopped, its place given to the next. Harmless when called again. */
  finish(failure) {
    if (this.#finished) return;
    this.#finished = true;
    this.#stopPreparing?.();
    this.#stopTotal?.();
    this.#unfollow?.();
    this.transport.forgotten.unregister(this);
    this.#leave?.();
    if (this.#attempt === 0 || !this.transport.settings.logger && !this.#span?.end) return;
    const status = this.status === void 0 ? {} : { status: this.status };
    const outcome = { ...status, ...failure && { error: failure.name } };
    const refused = this.status !== void 0 && (this.status < 200 || this.status > 299);
    if (failure || refused) this.#log("warn", "failure", outcome);
    this.#log("debug", "end", outcome);
    this.#span?.end?.({ ...status, ...failure && { error: failure } });
  }
  /** An error for an answer that is not what the specification promises. It ends the call. */
  protocolError(message, details = {}) {
    const { status, traceId } = this;
    const words = this.transport.settings.redact(`${this.operationId}: ${message}`);
    return this.end(new ProtocolError(words, { status, traceId, ...details }));
  }
  /** The error for what was thrown while a success was read: what ended the call, or else the service's doing. */
  readError(error) {
    const made = (message, cause) => this.protocolError(message, { cause });
    return this.end(toSpeechError(error, this.transport.settings.redact, made));
  }
  /** Fails the call when `phase` takes longer than it may, of which some time may have passed. */
  startTimer(phase, passed = 0) {
    const milliseconds = this.timeouts[phase];
    return after(
      milliseconds - passed,
      () => this.fail(
        this.#asksForKey ? new ConfigurationError(`apiKey() gave no key within ${milliseconds} ms`) : new TimeoutError(phase, milliseconds)
      )
    );
  }
  async #within(phase, pending) {
    const stop = this.startTimer(phase);
    try {
      return await pending;
    } finally {
      stop();
    }
  }
  #delay(request, askedSeconds) {
    return retryDelay(this.#retry, request.method, this.#attempt - 1, askedSeconds);
  }
  /** The answer to a request, redirects within the same origin followed. */
  async #follow(request, ownKey) {
    let target = request;
    for (let hops = 0; ; hops += 1) {
      const response = await this.#within("headers", this.#fetch(target, ownKey));
      if (typeof response?.status !== "number" || typeof response.headers?.get !== "function") {
        throw this.protocolError("fetch resolved to something that is not a Response");
      }
      if (response.type === "error") throw this.#translated(new Error("fetch gave a network error"));
      const named = response.headers.get(headerNames2.traceId) ?? "";
      if (/^(?!0{32})[0-9a-f]{32}$/.test(named)) this.traceId = named;
      const { type, redirected, status } = response;
      this.status = status;
      if (type !== "opaqueredirect" && !redirected && (status < 300 || status > 399)) return response;
      const next = (await loadLater()).redirectTarget(response, target, hops);
      if (typeof next !== "string") throw this.protocolError(next.message);
      cancelBody(response);
      target = new Request(next, target);
    }
  }
  async #fetch(request, ownKey) {
    const { settings } = this.transport;
    try {
      if (ownKey) {
        this.#asksForKey = true;
        const value = await settings.authorization();
        this.#asksForKey = false;
        if (value !== void 0) request.headers.set(headerNames2.authorization, value);
      }
      return await settings.fetch(request, { signal: this.signal, redirect: "manual" });
    } catch (error) {
      throw this.failure ?? this.#translated(error);
    }
  }
  /** Any error as one of the family, by how far the call has come. */
  #translated(error) {
    const { baseUrl, redact } = this.transport.settings;
    return toSpeechError(error, redact, (reason, cause) => {
      if (this.#stage === "preparing") {
        return new RequestError(`the request cannot be sent: ${reason}`, { field: "body", cause });
      }
      const { host } = new URL(baseUrl);
      const words = /REFUSED|NOTFOUND|UNREACH|EAI_AGAIN|CONNECT_TIMEOUT/.test(reason) ? `could not connect to ${host} (${reason})` : `the connection to ${host} failed: ${reason}`;
      return new ConnectionError(`${this.operationId}: ${words}`, { cause });
    });
  }
  #log(level, message, fields, headers) {
    const { logger, redact } = this.transport.settings;
    try {
      logger?.[level]?.(`speech-api ${message}`, {
        operationId: this.operationId,
        attempt: this.#attempt,
        milliseconds: Date.now() - this.#started,
        traceId: this.traceId,
        ...fields,
        ...headers && { headers: loggedHeaders(headers, redact) }
      });
    } catch {
    }
  }
};

// src/core/http.ts
var asEncoded = (body) => body;
var platform = ["Request", "Response", "Headers", "ReadableStream"];
function createCore(settings, queue) {
  const transport = {
    settings,
    queue,
    forgotten: new FinalizationRegistry((call) => call.abandon())
  };
  let made;
  const http = () => {
    made ??= createHttp(transport);
    return made;
  };
  return {
    settings,
    get http() {
      return http();
    },
    open: (operationId, options, endless) => new Call(transport, operationId, options, endless),
    send: (call, sent) => send(http(), call, sent)
  };
}
function createHttp(transport) {
  const { settings } = transport;
  const lacking = platform.filter((name) => !(name in globalThis));
  if (lacking.length > 0) {
    throw new ConfigurationError(
      `${lacking.join(", ")} is missing here; the client needs the fetch API, which jsdom lacks`
    );
  }
  return createClient({
    baseUrl: settings.baseUrl,
    headers: settings.headers,
    redirect: "manual",
    bodySerializer: serializeBody,
    pathSerializer: serializePath,
    fetch: (request) => {
      const call = new Call(transport, request.method, { signal: request.signal }, true);
      call.begin();
      return call.race(call.exchange(request));
    }
  });
}
function serializePath(path, parts) {
  for (const [field, value] of Object.entries(parts)) {
    if (typeof value === "string" && !/^\.{0,2}$|\p{Surrogate}/u.test(value)) continue;
    const found = typeof value === "string" ? JSON.stringify(value) : String(value);
    throw new RequestError(`${field} cannot be ${found}; pass the id as a text`, { field });
  }
  return defaultPathSerializer(path, parts);
}
async function send(http, call, sent) {
  const { settings } = call.transport;
  const {
    method,
    path,
    accept = mediaTypes3.json,
    traced,
    pathParts,
    query,
    header,
    body,
    contentType
  } = sent;
  const encoded = body && await encodeBody(body, contentType, settings.streamsUploads);
  const { operationId, options } = call;
  const span = startSpan(options.trace ?? settings.trace, traced === true, () => ({
    operationId,
    method: method.toUpperCase(),
    path,
    baseUrl: settings.baseUrl
  }));
  call.begin(span);
  let own;
  const request = http.request;
  const { response, error } = await request(method, path, {
    ...encoded,
    bodySerializer: asEncoded,
    // To a fetch of Node each further request that follows a signal costs a tenth of a call, and it gets the signal as
    // an option; an injected one may look at the request alone.
    ...!settings.streamsUploads && { signal: call.signal },
    parseAs: "stream",
    fetch: async (made) => {
      own = await call.exchange(made);
      return own;
    },
    params: { path: pathParts, query, header },
    headers: {
      accept,
      ...encoded?.headers,
      ...traced && span && { [headerNames3.traceparent]: span.traceparent },
      ...options.headers
    }
  });
  if (!response.ok) {
    const { createApiError, plainBody } = await loadLater();
    throw createApiError(operationId, response, plainBody(error, settings.redact), call.traceId);
  }
  return response === own ? response : guarded(call, response);
}

// src/core/queue.ts
import { headerNames as headerNames4 } from "@speech-api/types/constants";
var memory = 6e4;
var rateHeaders = [headerNames4.retryAfter, "ratelimit", "ratelimit-remaining", "x-ratelimit-remaining"];
var Queue = class {
  #maximum;
  #adapts;
  #now;
  #waiting = [];
  #running = 0;
  #limit;
  #ceiling;
  #successes = 0;
  #refusedAt = 0;
  /**
   * @param maximum - Never more than this, whatever the service says; `Infinity` lets the service decide.
   * @param adapts - Whether the service's answers may lower the number.
   */
  constructor(maximum, adapts = true, now = Date.now) {
    this.#maximum = maximum;
    this.#limit = maximum;
    this.#ceiling = maximum;
    this.#adapts = adapts;
    this.#now = now;
  }
  /** The way out, when there is a place right now and nobody waits for it. */
  enterNow() {
    this.#admitMore();
    return this.#running < this.#limit && this.#waiting.length === 0 ? this.#take() : void 0;
  }
  /** Resolves to the way out when there is a place; `signal` leaves the line. */
  enter(signal) {
    return new Promise((resolve, reject) => {
      const leave = this.enterNow();
      if (leave) return resolve(leave);
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        reject(signal.reason);
      };
      const admit = () => {
        signal.removeEventListener("abort", onAbort);
        resolve(this.#take());
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(admit);
    });
  }
  /** An answer came: its headers may name the limit, and 429 may say that it was one call too many. */
  learn(status, headers) {
    if (!this.#adapts) return;
    const announced = Math.floor(Number(headers.get(headerNames4.concurrencyLimit)));
    if (announced >= 1) {
      const lowered = this.#limit < this.#ceiling;
      this.#ceiling = Math.min(this.#maximum, announced);
      this.#limit = lowered ? Math.min(this.#limit, this.#ceiling) : this.#ceiling;
    }
    if (status === 429) {
      if (!(announced >= 1) && rateHeaders.some((name) => headers.has(name))) return;
      this.#limit = Math.max(1, Math.min(this.#limit, this.#running - 1));
      this.#successes = 0;
      this.#refusedAt = this.#now();
    } else if (this.#limit < this.#ceiling) {
      this.#successes += 1;
      if (this.#successes >= this.#limit) {
        this.#limit += 1;
        this.#successes = 0;
      }
    }
    this.#admitMore();
  }
  #admitMore() {
    if (this.#limit < this.#ceiling && this.#now() - this.#refusedAt > memory) this.#limit = this.#ceiling;
    while (this.#running < this.#limit) {
      const admit = this.#waiting.shift();
      if (!admit) return;
      admit();
    }
  }
  #take() {
    this.#running += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#running -= 1;
      this.#admitMore();
    };
  }
};

// src/resources/models.ts
import { listModelsDefaults } from "@speech-api/types/constants";

// src/resources/answer-json.ts
function answerJson(core, operationId, options, given, describe) {
  const call = core.open(operationId, options);
  return call.answer(perform(core, call, given, describe));
}
async function perform(core, call, given, describe) {
  const copy = copyOf(given);
  const later = await loadLater();
  const { read: read2, ...sent } = describe(later, copy, call.options);
  const response = await core.send(call, sent);
  return { data: await read2(call, response), response };
}

// src/resources/models.ts
var ModelList = class {
  #load;
  #first;
  #firstPage;
  constructor(load, first) {
    this.#load = load;
    this.#first = first;
  }
  /** One page by its number, counted from 1. */
  async page(number) {
    return this.#iterable(await this.#request(number), number);
  }
  // biome-ignore lint/suspicious/noThenProperty: a list is thenable on purpose; awaiting it gives the first page, iterating over it every model
  then(onFulfilled, onRejected) {
    return this.page(this.#first).then(onFulfilled, onRejected);
  }
  /** As of a promise. */
  catch(onRejected) {
    return this.then(void 0, onRejected);
  }
  /** As of a promise. */
  finally(onFinally) {
    return this.page(this.#first).finally(onFinally);
  }
  /** The first page, and the service's `Response`. */
  async withResponse() {
    const { data, response } = await this.#request(this.#first).withResponse();
    return { data: this.#iterable(data, this.#first), response };
  }
  /** Every item from the first page asked for to the last; the next page is requested when it is needed. */
  async *[Symbol.asyncIterator]() {
    yield* await this.page(this.#first);
  }
  #request(number) {
    if (number !== this.#first) return this.#load(number);
    this.#firstPage ??= this.#load(number);
    return this.#firstPage;
  }
  /** Makes a page iterable through the next pages, as its list is: awaiting a list gives the page alone. */
  #iterable(page, number) {
    const list = this;
    async function* iterate() {
      const seen = /* @__PURE__ */ new Set();
      for (let current = page, next = number + 1; ; next += 1) {
        if (current.items.every(({ _id }) => seen.has(_id))) return;
        for (const { _id } of current.items) seen.add(_id);
        yield* current.items;
        if (!current.has_more) return;
        current = await list.#request(next);
      }
    }
    return Object.defineProperty(page, Symbol.asyncIterator, {
      value: iterate,
      configurable: true
    });
  }
};
function createModelsResource(core) {
  const models = {
    list(filters = {}, options = {}) {
      const copied = copyLater(filters);
      const load = (page) => answerJson(core, "listModels", options, void 0, (later) => later.listModels(copied(), page));
      return new ModelList(load, filters?.page_number ?? listModelsDefaults.page_number);
    },
    create: (request, options = {}) => answerJson(
      core,
      "createModel",
      options,
      request,
      (later, copy, { contentType }) => later.createModel(copy, contentType)
    ),
    async waitUntilTrained(id, options = {}) {
      const { deadline: deadline2, minimumDelay, maximumDelay, ...rest } = cleanCallOptions(options);
      const { waitUntilTrained } = await loadLater();
      return waitUntilTrained((signal) => models.get(id, { ...rest, signal }), options);
    },
    get: (id, options = {}) => answerJson(core, "getModel", options, void 0, (later) => later.getModel(id)),
    update: (id, changes, options = {}) => answerJson(
      core,
      "updateModel",
      options,
      changes,
      (later, copy, { contentType }) => later.updateModel(id, copy, contentType)
    ),
    delete: (id, options = {}) => answerJson(core, "deleteModel", options, void 0, (later) => later.deleteModel(id))
  };
  return models;
}
function copyLater(given) {
  try {
    const copy = copyOf(given);
    return () => copy;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

// src/resources/speech.ts
import { audioMediaTypes as audioMediaTypes2, mediaTypes as mediaTypes4, synthesisDefaults } from "@speech-api/types/constants";

// src/generated/rule-fields.ts
var ruleFields = ["sample_rate", "reference_id", "references"];

// src/resources/answer.ts
import { audioMediaTypes } from "@speech-api/types/constants";
async function requireAudio(call, response, format) {
  const found = mediaTypeOf(response);
  const others = Object.values(audioMediaTypes);
  const isAudio = found.startsWith("audio/") || format === "opus" && found === "application/ogg";
  const own = ["", "application/octet-stream", audioMediaTypes[format]].includes(found);
  if (own || isAudio && !others.includes(found)) return requireWhole(call, response);
  await (await loadLater()).refuseMediaType(call, response, `${format} audio`, found);
}
async function requireMediaType(call, response, expected) {
  const found = mediaTypeOf(response);
  if (found !== expected) await (await loadLater()).refuseMediaType(call, response, expected, found);
  requireWhole(call, response);
}
function mediaTypeOf(response) {
  return (response.headers.get("content-type") ?? "").replace(/;.*$/s, "").trim().toLowerCase();
}

// src/resources/speech-audio.ts
var suspiciousBytes = 4096;
var firstBytes = {
  wav: [82],
  opus: [79],
  mp3: [255, 73, 0]
};
var SpeechAudio = class {
  /** The format that was asked for. */
  format;
  /** The media type as the service names it, such as `audio/mpeg`. */
  contentType;
  /** The trace id of the call: 32 hex digits. */
  traceId;
  #call;
  #response;
  constructor({ call, response, format, speakable }) {
    this.#call = call;
    this.#response = response;
    this.format = format;
    this.contentType = response.headers.get("content-type") ?? "application/octet-stream";
    this.traceId = call.traceId;
    call.inspector = inspectorOf(call, format, speakable);
  }
  /** The headers of the answer. */
  get headers() {
    return this.#response.headers;
  }
  /**
   * The pieces of the audio in order, as they arrive; where one ends means nothing. Leaving the loop ends the call.
   *
   * @throws `ProtocolError` for bytes of another format, and at the end of an empty clip or of half a sample,
   * `ConnectionError` when the body is cut,
   * `TimeoutError` when it hangs, `AbortError` by the caller's signal, `TypeError` when it was read before.
   */
  [Symbol.asyncIterator]() {
    if (isTaken(this.#response)) {
      throw new TypeError("this audio is being read or has been read; it can be read once");
    }
    return piecesOf(this.#call, this.#response);
  }
  /** The audio as a web stream; reading it throws what iterating throws. Looking at it takes nothing. */
  get body() {
    return this.#response.body ?? new Blob().stream();
  }
  /** All of the audio, held in memory. @throws what iterating throws, and `ProtocolError` for too much of it. */
  async bytes(options) {
    return collect(this.#call, this, limitOf(options));
  }
  /** All of the audio as a `Blob` of its media type, for an `audio` element or an upload. @throws what `bytes` throws. */
  async blob(options) {
    return new Blob([await this.bytes(options)], { type: this.contentType });
  }
  /** Ends the call and closes its connection. Harmless when the audio was read to its end. */
  cancel() {
    this.#call.fail(new AbortError("cancel() was called"));
  }
  /** Cancels the unread rest at the end of an `await using` block. */
  async [Symbol.asyncDispose]() {
    this.cancel();
  }
};
function inspectorOf(call, format, speakable) {
  const head = [];
  let length = 0;
  return {
    piece(piece) {
      if (length === 0 && !(firstBytes[format] ?? piece).includes(piece[0] ?? 0)) {
        throw call.protocolError(`the body is no ${format} audio`);
      }
      if (length < suspiciousBytes) head.push(piece);
      length += piece.length;
    },
    async end() {
      if (format === "pcm" && length % 2 === 1) {
        throw call.protocolError("the pcm audio ends in the middle of a sample");
      }
      if (!speakable || length >= suspiciousBytes || format === "pcm" && length > 0) return;
      const { hasSound } = await loadLater();
      if (hasSound(joinBytes(head, length), format)) return;
      throw call.protocolError(`the ${format} audio holds no sound (${length} bytes)`);
    }
  };
}

// src/resources/speech.ts
function createSpeechResource(core) {
  return {
    create(request, options = {}) {
      const call = core.open("createSpeech", options, true);
      return call.answer(createSpeech(core, call, request));
    },
    streamWithTimestamps(request, options = {}) {
      const call = core.open("streamSpeechWithTimestamps", options, true);
      return call.answer(streamSpeech(core, call, request));
    }
  };
}
async function createSpeech(core, call, given) {
  const request = copyOf(given);
  const format = formatOf(request);
  const accept = `${audioMediaTypes2[format] ?? "*/*"}, */*;q=0.1`;
  const response = await send2(core, call, request, "/v1/tts", accept);
  const speakable = isSpeakable(request);
  await requireAudio(call, response, format);
  if (speakable && response.body === null) throw call.protocolError("the answer has no body");
  return { data: new SpeechAudio({ call, response, format, speakable }), response };
}
async function streamSpeech(core, call, given) {
  const request = copyOf(given);
  const loading = loadLater();
  loading.catch(() => void 0);
  const response = await send2(core, call, request, "/v1/tts/stream/with-timestamp", mediaTypes4.eventStream);
  await requireMediaType(call, response, mediaTypes4.eventStream);
  const context = { call, response, format: formatOf(request), speakable: isSpeakable(request) };
  return { data: new (await loading).SpeechStream(context), response };
}
async function send2(core, call, request, path, accept) {
  const { model = core.settings.model } = call.options;
  const isPlain = typeof request?.text === "string" && !lookedAt.some((name) => name in request);
  if (!isPlain) (await loadLater()).requireSpeech(request, call.operationId, model);
  return core.send(call, { method: "post", path, accept, traced: true, header: { model }, body: request });
}
var lookedAt = [...ruleFields, ...Object.keys(foreignFields), "reference_id", "references"];
function formatOf(request) {
  return request?.format ?? synthesisDefaults.format;
}
function isSpeakable({ text }) {
  return /[\p{L}\p{N}]/u.test(String(text).replace(/<\|[^|]*\|>/g, ""));
}

// src/resources/transcriptions.ts
function createTranscriptionsResource(core) {
  return {
    create: (request, options = {}) => answerJson(
      core,
      "createTranscription",
      options,
      request,
      (later, copy, { contentType }) => later.createTranscription(copy, contentType)
    )
  };
}

// src/resources/wallet.ts
function createWalletResource(core) {
  return {
    getApiCredit: (userId = "self", options = {}) => answerJson(core, "getApiCredit", options, void 0, (later) => later.getApiCredit(userId)),
    getPackage: (userId = "self", options = {}) => answerJson(core, "getPackage", options, void 0, (later) => later.getPackage(userId))
  };
}

// src/client.ts
function createSpeechClient(options = {}) {
  const settings = resolveSettings(options);
  return clientOf(options, settings, new Queue(settings.concurrency, settings.adaptConcurrency));
}
var queueOptions = ["concurrency", "adaptConcurrency", "baseUrl", "apiKey"];
function clientOf(options, settings, queue) {
  const core = createCore(settings, queue);
  return {
    speech: createSpeechResource(core),
    transcriptions: createTranscriptionsResource(core),
    models: createModelsResource(core),
    wallet: createWalletResource(core),
    get http() {
      return core.http;
    },
    settings,
    with(more) {
      const merged = mergeOptions(options, more);
      const isOwn = queueOptions.some((name) => more[name] !== void 0);
      return isOwn ? createSpeechClient(merged) : clientOf(merged, resolveSettings(merged), queue);
    }
  };
}

// src/credit.ts
var decimal = /^([+-]?)(\d+)(?:\.(\d+))?$/;
function compareCredit(left, right) {
  const [first, second] = [read(left), read(right)];
  const places = Math.max(first.fraction.length, second.fraction.length);
  const [one, other] = [scale(first, places), scale(second, places)];
  return one < other ? -1 : one > other ? 1 : 0;
}
function read(value) {
  const [match, sign, whole = "", fraction = ""] = decimal.exec(String(value).trim()) ?? [];
  if (match === void 0)
    throw new RangeError(`not a decimal number: ${JSON.stringify(String(value).slice(0, 40))}`);
  return { negative: sign === "-", whole, fraction };
}
function scale({ negative, whole, fraction }, places) {
  const digits = BigInt(whole + fraction.padEnd(places, "0"));
  return negative ? -digits : digits;
}
export {
  AbortError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConnectionError,
  InsufficientCreditError,
  InvalidRequestError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionDeniedError,
  ProtocolError,
  RequestError,
  ServerError,
  SpeechError,
  TimeoutError,
  TooManyRequestsError,
  TrainingError,
  UnsupportedMediaTypeError,
  compareCredit,
  createSpeechClient,
  createTrace,
  isDialogue,
  readAudio
};
