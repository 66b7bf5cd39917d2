import { finishWav, readWavHeader, writeWavHeader } from '@speech-api/audio';
import {
  type AudioFormat,
  audioMediaTypes,
  defaultSampleRates,
  headerNames,
  type OperationId,
  type SynthesisRequest,
  synthesisDefaults,
} from '@speech-api/types';
import { type Refusal, type ValidationIssue, withoutKey, withoutValues } from './answer.ts';
import type { IncomingRequest, ReceivedCall } from './receive.ts';
import { isBytes, isObject } from './schema.ts';

/** One violation of the specification by a request. */
export interface Violation {
  /**
   * The entry of the spec's refusals that it falls under, such as `schema` or `key-missing`; `tolerated` for what a lenient
   * server has accepted.
   */
  readonly rule: string;
  /** Location, such as `['body', 'temperature']`; empty for the request as a whole. */
  readonly loc: readonly string[];
  /** Kind of violation, such as `missing`; empty if the rule says it. */
  readonly type: string;
  /** Description in words, without sent values unless bodies are recorded. */
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

type Setting = number | boolean | string | null;

/** A request and how it was answered. Never contains a key; contains text or audio only in `sent`. */
export interface RecordedCall {
  /** Number of the call since the start, from 1. */
  readonly id: number;
  /** Time of the request, ISO 8601. */
  readonly at: string;
  readonly traceId: string;
  /** Undefined if no operation has this method and path. */
  readonly operationId: OperationId | undefined;
  readonly method: string;
  /** The operation's path template, such as `/model/{id}`; the requested path if there is no operation. */
  readonly path: string;
  /** Media type of the request. */
  readonly contentType: string | undefined;
  /** The settings that were sent, by name: numbers, booleans, and those strings that are one of a list or name a model. */
  readonly settings: Readonly<Record<string, Setting>>;
  /** Only with `record: 'bodies'`, and never written to a log. Undefined if the request was refused. */
  readonly sent?: SentRequest;
  /** Status of the answer; undefined until there is one. */
  readonly status: number | undefined;
  /** `cut` if the whole answer did not leave. */
  readonly state: 'under way' | 'complete' | 'cut';
  /** Milliseconds from the request to the end of its answer. */
  readonly milliseconds: number | undefined;
  readonly violations: readonly Violation[];
  /** True if there are no violations. */
  readonly valid: boolean;
  /** The faults of the answer, or a refusal for another reason than what was sent. */
  readonly message: string | undefined;
  /** The audio of the answer; of a live session, that of its last text. */
  readonly audio: RecordedAudio | undefined;
}

/** The audio of an answer. */
export interface RecordedAudio {
  readonly format: AudioFormat;
  /** Bytes that were made. */
  readonly bytes: number;
  /** Whether it can still be played: only with `record: 'bodies'`, and while it is among the latest 32 MiB. */
  readonly kept: boolean;
}

/** The recorded part of a call: its settings, or everything except the key. */
export type RecordMode = 'settings' | 'bodies';

/** A test makes dozens of calls; a server that runs for weeks must not grow. */
const maximumCalls = 10_000;
const maximumAudioBytes = 33_554_432;
const maximumViolations = 100;

export interface LoggedRequest {
  readonly request: Pick<IncomingRequest, 'method' | 'url' | 'headers'>;
  readonly traceId: string;
  readonly key: string | undefined;
}

/** A call that is still under way, as its log sees it. */
export class OpenCall implements RecordedCall {
  readonly id: number;
  readonly at = new Date().toISOString();
  readonly traceId: string;
  operationId: OperationId | undefined;
  readonly method: string;
  path: string;
  readonly contentType: string | undefined;
  readonly settings: Record<string, Setting> = {};
  sent?: SentRequest;
  readonly violations: Violation[] = [];
  status: number | undefined;
  state: RecordedCall['state'] = 'under way';
  milliseconds: number | undefined;
  message: string | undefined;
  readonly #log: CallLog;
  readonly #request: LoggedRequest['request'];
  readonly #key: string | undefined;
  #format: { readonly format: AudioFormat; readonly sampleRate: number } | undefined;
  #audioBytes = 0;
  /** Undefined while no audio is kept. */
  #pieces: Uint8Array[] | undefined;

  constructor(id: number, { request, traceId, key }: LoggedRequest, log: CallLog) {
    this.id = id;
    this.#log = log;
    this.#request = request;
    this.#key = key;
    this.traceId = traceId;
    this.method = request.method;
    this.path = shownPath(request.url.split('?')[0] ?? '', key);
    const type = request.headers['content-type']?.split(';')[0];
    this.contentType = type === undefined ? undefined : this.#shown(type).slice(0, 120);
  }

  get valid(): boolean {
    return this.violations.length === 0;
  }

  get audio(): RecordedAudio | undefined {
    if (this.#format === undefined) return undefined;
    const bytes = this.#audioBytes;
    return { format: this.#format.format, bytes, kept: bytes > 0 && this.#pieces !== undefined };
  }

  isFor({ id, path }: { readonly id: OperationId; readonly path: string }): void {
    this.operationId = id;
    this.path = path;
  }

  received(call: ReceivedCall): void {
    this.isFor(call.operation);
    const { query, body, headers } = call;
    const values = { model: headers[headerNames.model], ...query, ...(isObject(body) ? body : {}) };
    for (const [name, value] of Object.entries(values)) {
      if (isSetting(name, value)) this.settings[name] = typeof value === 'string' ? this.#name(value) : value;
    }
    this.#violates(call.tolerated.map((issue) => violationOf(issue, 'tolerated', this.#log.record)));
    if (this.#log.record === 'bodies') this.sent = sentIn(call, this.#request.headers, this.#key);
  }

  /** Called when a live session begins, and when more of its text arrives. */
  said(body: unknown): void {
    if (this.sent !== undefined) this.sent = { ...this.sent, body };
  }

  refused(refusal: Refusal): void {
    if (notTheirs.has(refusal.entry.id)) this.remark(withoutValues(refusal.message));
    else this.#violates(violationsOf(refusal, this.#log.record));
  }

  remark(message: string): void {
    this.message = this.#shown(message);
  }

  /** Called when speech begins; a live session may have several in turn. */
  speaks(request: Pick<SynthesisRequest, 'format' | 'sample_rate'>): void {
    this.forgetAudio();
    const { format = synthesisDefaults.format } = request;
    this.#format = { format, sampleRate: request.sample_rate ?? defaultSampleRates[format] };
    this.#audioBytes = 0;
    if (this.#log.record === 'bodies') this.#pieces = [];
  }

  /** Called with each piece of audio, which is kept by reference. */
  heard(piece: Uint8Array): void {
    this.#audioBytes += piece.length;
    if (this.#pieces === undefined) return;
    this.#pieces.push(piece);
    this.#log.keepsAudio(this, piece.length);
  }

  /** @returns the bytes that were kept */
  forgetAudio(): number {
    const bytes = this.#pieces === undefined ? 0 : this.#audioBytes;
    this.#pieces = undefined;
    this.#log.forgetsAudio(this, bytes);
    return bytes;
  }

  /** A file that a browser plays: pcm gets a header, and that of wav its true sizes, which the stream could not know. */
  playable(): { readonly mediaType: string; readonly bytes: Uint8Array } | undefined {
    if (this.#format === undefined || this.#pieces === undefined || this.#audioBytes === 0) return undefined;
    const { format, sampleRate } = this.#format;
    const bytes = Buffer.concat(this.#pieces);
    if (format === 'pcm') {
      const header = writeWavHeader({ sampleRate, dataBytes: bytes.length });
      return { mediaType: audioMediaTypes.wav, bytes: Buffer.concat([header, bytes]) };
    }
    if (format === 'wav' && readWavHeader(bytes)) finishWav(bytes);
    return { mediaType: audioMediaTypes[format], bytes };
  }

  ended({ isComplete, milliseconds }: { readonly isComplete: boolean; readonly milliseconds: number }): void {
    this.state = isComplete ? 'complete' : 'cut';
    this.milliseconds = milliseconds;
    this.#log.onEnd(this);
  }

  #violates(violations: readonly Violation[]): void {
    if (this.valid && violations.length > 0) this.#log.invalid += 1;
    const recorded = violations.slice(0, maximumViolations - this.violations.length);
    for (const { rule, loc, type, message } of recorded) {
      const path = loc.map((step) => this.#name(step));
      this.violations.push({ rule, loc: path, type, message: this.#shown(message) });
    }
  }

  /** A client may have put the key where a name belongs. */
  #shown(text: string): string {
    return withoutKey(text, this.#key);
  }

  /** A name may have megabytes, of which only the beginning is searched for the key. */
  #name(text: string): string {
    return this.#shown(text.slice(0, 500)).slice(0, 60);
  }

  toJSON(): RecordedCall {
    const { sent: _, ...call } = this;
    return { ...call, valid: this.valid, audio: this.audio };
  }
}

/** The most recent calls, oldest first. */
export class CallLog {
  calls: OpenCall[] = [];
  /** Number of calls with a violation, including calls that are no longer kept. */
  invalid = 0;
  readonly onEnd: (call: RecordedCall) => void;
  readonly record: RecordMode;
  /** Called by `clear`: what a server counts begins anew with its calls, so that no test depends on the one before it. */
  readonly whenCleared: (() => void)[] = [];
  #lastId = 0;
  /** Calls whose audio is kept, oldest first, and its bytes. */
  readonly #audible = new Set<OpenCall>();
  #audioBytes = 0;

  /** @param onEnd called once for each call, when its answer was sent or left */
  constructor(onEnd: (call: RecordedCall) => void = () => {}, record: RecordMode = 'settings') {
    this.onEnd = onEnd;
    this.record = record;
  }

  open(request: LoggedRequest): OpenCall {
    this.#lastId += 1;
    const call = new OpenCall(this.#lastId, request, this);
    this.calls.push(call);
    if (this.calls.length > maximumCalls) this.calls.shift()?.forgetAudio();
    return call;
  }

  clear(): void {
    for (const restart of this.whenCleared) restart();
    for (const call of this.calls) call.forgetAudio();
    this.calls = [];
    this.invalid = 0;
  }

  /** Forgets the oldest audio while there is more than may be kept. */
  keepsAudio(call: OpenCall, bytes: number): void {
    this.#audible.add(call);
    this.#audioBytes += bytes;
    for (const oldest of this.#audible) {
      if (this.#audioBytes <= maximumAudioBytes) return;
      oldest.forgetAudio();
    }
  }

  forgetsAudio(call: OpenCall, bytes: number): void {
    this.#audible.delete(call);
    this.#audioBytes -= bytes;
  }

  /** The latest calls for tests in other languages, with what was sent if bodies are recorded; of bytes, only their number. */
  report(latest = maximumCalls): unknown {
    const calls = this.calls.slice(-latest).map((call) => ({
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

/** A path as it may be shown: without the user id of a wallet, and without the key. */
export function shownPath(path: string, key: string | undefined): string {
  return withoutKey(path, key)
    .replace(/\/wallet\/[^/]+/, '/wallet/{user_id}')
    .slice(0, 120);
}

function sentIn(
  { path, query, body }: ReceivedCall,
  requestHeaders: IncomingRequest['headers'],
  key: string | undefined,
): SentRequest {
  const headers = Object.entries(requestHeaders).flatMap(([name, value = '']): [string, string][] => {
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

/** True if `settings` may contain this value under this name. */
export function isSetting(name: string, value: unknown): value is Setting {
  if (typeof value === 'string') return plainStrings.has(name) || name === headerNames.model;
  return typeof value === 'number' || typeof value === 'boolean' || value === null;
}

/** Refusals because of the state of the server, not because of what was sent. */
const notTheirs = new Set([
  'overloaded',
  'fault',
  'forbidden',
  'concurrency',
  'credit',
  'credit-short',
  'not-found',
]);

function violationsOf({ entry: { id }, issues, message }: Refusal, record: RecordMode): Violation[] {
  if (issues.length > 0) return issues.map((issue) => violationOf(issue, id, record));
  return [{ rule: id, loc: [], type: '', message: shown(message, record) }];
}

function violationOf({ loc, type, msg }: ValidationIssue, rule: string, record: RecordMode): Violation {
  return { rule, loc, type, message: shown(msg, record) };
}

function shown(message: string, record: RecordMode): string {
  return record === 'bodies' ? message : withoutValues(message);
}
