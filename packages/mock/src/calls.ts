import type { IncomingMessage } from 'node:http';
import {
  type ReceivedCall,
  type Refusal,
  readBearerKey,
  type ValidationIssue,
  withoutValues,
} from '@speech-api/server';
import { headerNames, type OperationId } from '@speech-api/types';

/** One thing about a request that the specification does not allow. */
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
  /** In words; without the values that were sent, unless the mock records bodies. */
  readonly message: string;
}

/** A violation on one line. */
export function wordsOf({ rule, loc, message }: Violation): string {
  return `${rule}${loc.length > 0 ? ` at ${loc.join('.')}` : ''}: ${message}`;
}

/** The whole of a request, as it was decoded, without the key. */
export interface SentRequest {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Binary fields are `Uint8Array`. Of a live session, what its last `start` asked for, with all text that came. */
  readonly body: unknown;
}

/** A request and how it was answered. Never contains a key; contains text or audio only in `sent`. */
export interface RecordedCall {
  /** Absent when no operation has this method and path. */
  readonly operationId: OperationId | undefined;
  readonly method: string;
  /** The template of the operation's path, such as `/model/{id}`; what was asked for when there is none. */
  readonly path: string;
  /** Of the request. */
  readonly contentType: string | undefined;
  /** The settings that were sent, by name: numbers, booleans, and those strings that are one of a list or name a model. */
  readonly settings: Readonly<Record<string, number | boolean | string | null>>;
  /** With `record: 'bodies'` only, and never written to a log or an answer. Absent when the request was refused. */
  readonly sent?: SentRequest;
  /** Of the answer; absent while there is none. */
  readonly status: number | undefined;
  readonly violations: readonly Violation[];
  /** True if there are no violations. */
  readonly valid: boolean;
}

/** A call that is still under way. */
export interface OpenCall {
  isFor(operation: { readonly id: OperationId; readonly path: string }): void;
  received(call: ReceivedCall): void;
  /** A live session has begun, or more of its text has come. */
  said(body: unknown): void;
  violates(violations: readonly Violation[]): void;
  /** The answer was sent whole, or left. Called once. */
  ended(): void;
}

/** The last calls, the oldest first. */
export interface CallLog {
  readonly calls: readonly RecordedCall[];
  /** Number of calls with a violation, including calls that are no longer kept. */
  readonly invalid: number;
  /** The recorded part of each request. */
  readonly record: RecordMode;
  /** @param status of the answer, once it has one */
  open(request: IncomingMessage, status: () => number | undefined): OpenCall;
  clear(): void;
}

/** The recorded part of a request: its settings, or everything except the key. */
export type RecordMode = 'settings' | 'bodies';

/** A test makes dozens; a mock that runs for weeks must not grow. */
const maximumCalls = 10_000;
const maximumViolations = 100;
/** Bytes of whole requests that are kept; beyond, the oldest are forgotten. */
const maximumSentBytes = 256 * 1024 * 1024;

class Recorded implements RecordedCall {
  operationId: OperationId | undefined;
  readonly method: string;
  path: string;
  readonly contentType: string | undefined;
  settings: RecordedCall['settings'] = {};
  sent?: SentRequest;
  readonly violations: Violation[] = [];
  #status: () => number | undefined;

  constructor(request: IncomingMessage, status: () => number | undefined) {
    this.#status = status;
    this.method = request.method ?? '';
    this.path = (request.url ?? '').split('?')[0]?.slice(0, 120) ?? '';
    this.contentType = request.headers['content-type']?.split(';')[0]?.slice(0, 120);
  }

  get status(): number | undefined {
    return this.#status();
  }

  /** From now on without the answer itself, which may go. */
  keepStatus(): void {
    const status = this.#status();
    this.#status = () => status;
  }

  get valid(): boolean {
    return this.violations.length === 0;
  }

  toJSON(): RecordedCall {
    const { operationId, method, path, contentType, settings, status, violations, valid } = this;
    return { operationId, method, path, contentType, settings, status, violations, valid };
  }
}

/** @param onAnswer called once for each call, when its answer was sent or left */
export function createCallLog(
  onAnswer: (call: RecordedCall) => void = () => {},
  record: RecordMode = 'settings',
): CallLog {
  let calls: Recorded[] = [];
  let invalid = 0;
  let sentBytes = 0;
  const kept: { readonly call: Recorded; readonly bytes: number }[] = [];
  const keep = (call: Recorded, bytes: number): void => {
    kept.push({ call, bytes });
    sentBytes += bytes;
    while (sentBytes > maximumSentBytes) {
      const oldest = kept.shift();
      if (oldest === undefined) return;
      delete oldest.call.sent;
      sentBytes -= oldest.bytes;
    }
  };
  return {
    record,
    get calls() {
      return calls;
    },
    get invalid() {
      return invalid;
    },
    open(request, status) {
      const call = new Recorded(request, status);
      calls.push(call);
      if (calls.length > maximumCalls) calls.shift();
      return {
        isFor({ id, path }) {
          call.operationId = id;
          call.path = path;
        },
        received(received) {
          call.settings = settingsOf(received);
          if (record !== 'bodies') return;
          call.sent = sentIn(received, request);
          keep(call, Number(request.headers['content-length'] ?? 0));
        },
        said(body) {
          if (call.sent !== undefined) call.sent = { ...call.sent, body };
        },
        violates(violations) {
          if (call.valid && violations.length > 0) invalid += 1;
          call.violations.push(...violations.slice(0, maximumViolations - call.violations.length));
        },
        ended() {
          call.keepStatus();
          onAnswer(call);
        },
      };
    },
    clear() {
      calls = [];
      invalid = 0;
      sentBytes = 0;
      kept.length = 0;
    },
  };
}

function sentIn({ path, query, body }: ReceivedCall, request: IncomingMessage): SentRequest {
  const key = readBearerKey(request.headers.authorization);
  const headers = Object.entries(request.headers).flatMap(([name, given]): [string, string][] => {
    const value = [given ?? []].flat().join(', ');
    // Neither the header of the key, nor another header that contains the key.
    const secret = name === headerNames.authorization || (key !== undefined && value.includes(key));
    return secret ? [] : [[name, value]];
  });
  return { headers: Object.fromEntries(headers), path, query, body };
}

/** An allow-list: settings whose strings come from a fixed list or identify nobody. All else is left out. */
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
  return { ...(model === undefined ? {} : { model: model.slice(0, 60) }), ...plain(query), ...plain(body) };
}

function plain(values: unknown): Settings {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return {};
  const kept: Settings = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) kept[name] = value;
    else if (typeof value === 'string' && plainStrings.has(name)) kept[name] = value.slice(0, 60);
  }
  return kept;
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
  return { rule, loc: loc.map((step) => step.slice(0, 60)), type, message: shown(msg, record) };
}

function shown(message: string, record: RecordMode): string {
  return record === 'bodies' ? message : withoutValues(message);
}

/** Whether `settings` can hold this value under this name. */
export function isSetting(name: string, value: unknown): boolean {
  if (typeof value === 'string') return plainStrings.has(name) || name === headerNames.model;
  return typeof value === 'number' || typeof value === 'boolean' || value === null;
}
