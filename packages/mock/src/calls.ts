import {
  type IncomingRequest,
  isBytes,
  type ReceivedCall,
  type Refusal,
  readBearerKey,
  type ValidationIssue,
  withoutKey,
  withoutValues,
} from '@speech-api/server';
import { headerNames, type OperationId } from '@speech-api/types';

/** One violation of the specification by a request. */
export interface Violation {
  /**
   * The entry of the spec's refusals that it falls under, such as `schema` or `key-missing`; `tolerated` for what a lenient
   * mock has accepted.
   */
  readonly rule: string;
  /** Location, such as `['body', 'temperature']`; empty for the request as a whole. */
  readonly loc: readonly string[];
  /** Kind of violation, such as `missing`; empty if the rule says it. */
  readonly type: string;
  /** Description in words, without sent values unless the mock records bodies. */
  readonly message: string;
}

/** A violation on one line. */
export function wordsOf({ rule, loc, message }: Violation): string {
  return `${rule}${loc.length > 0 ? ` at ${loc.join('.')}` : ''}: ${message}`;
}

/** The whole of a request, as it was decoded, without the key. */
export interface SentRequest {
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Binary fields are `Uint8Array`. For a live session, the last `start` with all text that followed. */
  readonly body: unknown;
}

/** A request and how it was answered. Never contains a key; contains text or audio only in `sent`. */
export interface RecordedCall {
  /** Undefined if no operation has this method and path. */
  readonly operationId: OperationId | undefined;
  readonly method: string;
  /** The operation's path template, such as `/model/{id}`; the requested path if there is no operation. */
  readonly path: string;
  /** Media type of the request. */
  readonly contentType: string | undefined;
  /** The settings that were sent, by name: numbers, booleans, and those strings that are one of a list or name a model. */
  readonly settings: Readonly<Record<string, number | boolean | string | null>>;
  /** Only with `record: 'bodies'`, and never written to a log. Undefined if the request was refused. */
  readonly sent?: SentRequest;
  /** Status of the answer; undefined until there is one. */
  readonly status: number | undefined;
  readonly violations: readonly Violation[];
  /** True if there are no violations. */
  readonly valid: boolean;
}

/** The recorded part of a request: its settings, or everything except the key. */
export type RecordMode = 'settings' | 'bodies';

/** A test makes dozens of calls; a mock that runs for weeks must not grow. */
const maximumCalls = 10_000;
const maximumViolations = 100;

/** A call that is still under way, as its log sees it. */
export class OpenCall implements RecordedCall {
  operationId: OperationId | undefined;
  readonly method: string;
  path: string;
  readonly contentType: string | undefined;
  settings: RecordedCall['settings'] = {};
  sent?: SentRequest;
  readonly violations: Violation[] = [];
  /** Undefined until the answer begins. */
  status: number | undefined;
  readonly #log: CallLog;
  readonly #key: string | undefined;

  constructor(request: IncomingRequest, log: CallLog) {
    this.#log = log;
    this.method = request.method;
    this.#key = readBearerKey(request.headers.authorization);
    this.path = this.#shown(request.url.split('?')[0] ?? '').slice(0, 120);
    const type = request.headers['content-type']?.split(';')[0];
    this.contentType = type === undefined ? undefined : this.#shown(type).slice(0, 120);
  }

  get valid(): boolean {
    return this.violations.length === 0;
  }

  isFor({ id, path }: { readonly id: OperationId; readonly path: string }): void {
    this.operationId = id;
    this.path = path;
  }

  received(call: ReceivedCall, request: IncomingRequest): void {
    const settings = Object.entries(settingsOf(call)).map(([name, value]) => [
      name,
      typeof value === 'string' ? this.#shown(value).slice(0, 60) : value,
    ]);
    this.settings = Object.fromEntries(settings);
    if (this.#log.record !== 'bodies') return;
    this.sent = sentIn(call, request);
  }

  /** Called when a live session begins, and when more of its text arrives. */
  said(body: unknown): void {
    if (this.sent !== undefined) this.sent = { ...this.sent, body };
  }

  violates(violations: readonly Violation[]): void {
    if (this.valid && violations.length > 0) this.#log.invalid += 1;
    const recorded = violations.slice(0, maximumViolations - this.violations.length);
    for (const { rule, loc, type, message } of recorded) {
      const shown = loc.map((step) => this.#shown(step).slice(0, 60));
      this.violations.push({ rule, loc: shown, type, message: this.#shown(message) });
    }
  }

  /** Called once, when the answer was sent or the client disconnected. */
  ended(): void {
    this.#log.onAnswer(this);
  }

  /** A client may have put the key where a name belongs. */
  #shown(text: string): string {
    return withoutKey(text, this.#key);
  }

  toJSON(): RecordedCall {
    const { operationId, method, path, contentType, settings, status, violations, valid } = this;
    return { operationId, method, path, contentType, settings, status, violations, valid };
  }
}

/** The most recent calls, oldest first. */
export class CallLog {
  calls: OpenCall[] = [];
  /** Number of calls with a violation, including calls that are no longer kept. */
  invalid = 0;
  readonly onAnswer: (call: RecordedCall) => void;
  /** The recorded part of each request. */
  readonly record: RecordMode;

  /** @param onAnswer called once for each call, when its answer was sent or left */
  constructor(onAnswer: (call: RecordedCall) => void = () => {}, record: RecordMode = 'settings') {
    this.onAnswer = onAnswer;
    this.record = record;
  }

  open(request: IncomingRequest): OpenCall {
    const call = new OpenCall(request, this);
    this.calls.push(call);
    if (this.calls.length > maximumCalls) this.calls.shift();
    return call;
  }

  clear(): void {
    this.calls = [];
    this.invalid = 0;
  }

  /** The calls for tests in other languages, with what was sent if bodies are recorded; of bytes, only their number. */
  report(): unknown {
    const calls = this.calls.map((call) => ({
      ...call.toJSON(),
      ...(call.sent && { sent: bytesWritten(call.sent, ({ length }) => `<${length} bytes>`) }),
    }));
    return { invalid: this.invalid, calls };
  }
}

/** A copy of a value in which bytes are written as text. */
export function bytesWritten(value: unknown, write: (bytes: Buffer) => string): unknown {
  if (isBytes(value)) return write(Buffer.from(value));
  if (Array.isArray(value)) return value.map((item) => bytesWritten(item, write));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, bytesWritten(item, write)]));
}

/** Maximum characters of a text that are searched for the key: a name may have megabytes. */
function beginningOf(text: string): string {
  return text.slice(0, 500);
}

function sentIn({ path, query, body }: ReceivedCall, request: IncomingRequest): SentRequest {
  const key = readBearerKey(request.headers.authorization);
  const headers = Object.entries(request.headers).flatMap(([name, value = '']): [string, string][] => {
    // Drops the key's header and any other header that contains the key.
    const secret = name === headerNames.authorization || withoutKey(value, key) !== value;
    return secret ? [] : [[name, value]];
  });
  return { headers: Object.fromEntries(headers), path, query, body };
}

/** An allow-list of settings whose strings come from a fixed list or identify nobody. */
const plainStrings = new Set([
  'format',
  'latency',
  'type',
  'train_mode',
  'visibility',
  'sort_by',
  'language',
]);

type Settings = Record<string, number | boolean | string | null>;

/** Settings of a request that may be logged. */
function settingsOf({ headers, query, body }: ReceivedCall): Settings {
  const model = headers[headerNames.model];
  return { ...(model === undefined ? {} : { model: beginningOf(model) }), ...plain(query), ...plain(body) };
}

function plain(values: unknown): Settings {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return {};
  const recorded: Settings = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) recorded[name] = value;
    else if (typeof value === 'string' && plainStrings.has(name)) recorded[name] = beginningOf(value);
  }
  return recorded;
}

/** Refusals because of the state of the server, not because of what was sent. */
const notTheirs = new Set(['overloaded', 'fault', 'concurrency', 'credit', 'credit-short', 'not-found']);

/**
 * Violations of a refused request.
 *
 * @param record with `bodies`, messages contain the values that were sent
 */
export function violationsOf(refusal: Refusal, record: RecordMode): Violation[] {
  const { id } = refusal.entry;
  if (notTheirs.has(id)) return [];
  if (refusal.issues.length > 0) return refusal.issues.map((issue) => violationOf(issue, id, record));
  return [{ rule: id, loc: [], type: '', message: shown(refusal.message, record) }];
}

export function violationOf(
  { loc, type, msg }: ValidationIssue,
  rule: string,
  record: RecordMode,
): Violation {
  return { rule, loc: loc.map(beginningOf), type, message: shown(msg, record) };
}

function shown(message: string, record: RecordMode): string {
  return record === 'bodies' ? message : withoutValues(message);
}

/** True if `settings` may contain this value under this name. */
export function isSetting(name: string, value: unknown): boolean {
  if (typeof value === 'string') return plainStrings.has(name) || name === headerNames.model;
  return typeof value === 'number' || typeof value === 'boolean' || value === null;
}
