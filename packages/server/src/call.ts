import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { headerNames, operationTable } from '@speech-api/types';
import { type Answer, CutOnPurpose, emptyAnswer, Refusal, refusalAnswer } from './answer.ts';
import type { OpenCall } from './call-log.ts';
import { answerCallPage, type CallPages } from './call-pages.ts';
import { type FaultPlan, type Faults, faultAnswer, withFaults } from './faults.ts';
import type { Operation } from './operations.ts';
import type { OriginPolicy } from './origins.ts';
import type { IncomingRequest, ReceivedCall, Receiver, ServerChecks } from './receive.ts';
import { isBytes } from './schema.ts';

export interface Visit {
  /** The checks that need the server's own knowledge, by the id of their refusal. */
  readonly checks: ServerChecks;
  /** The path and query to check and answer, if they differ from those that were sent. */
  readonly url?: string;
  /** Answers a call that passed all checks; may still throw a `Refusal`. */
  answer(call: ReceivedCall, record: OpenCall): Answer | Promise<Answer>;
  /** Called once, when the answer has left or the caller is gone. */
  onEnd?(): void;
}

export interface Outcome {
  /** Undefined if the caller left before the answer, or the connection ended without one. */
  readonly status: number | undefined;
  readonly isComplete: boolean;
  readonly milliseconds: number;
}

/** The service that a server runs. Its log shows its calls at `/` and `/__calls`. */
export interface Service extends CallPages {
  /** @throws Refusal if the sender may not see the pages of the calls. @defaultValue who may call may see them */
  checkOwnPage?(call: Call): void;
  /** Answers another of the server's own pages, which need no key; undefined if the request is for none of them. */
  answerOwnPage?(call: Call): Answer | undefined | Promise<Answer | undefined>;
  visit(call: Call): Visit;
  /** Called once for every request, including preflights and the server's own pages, when it is over. */
  onEnd?(call: Call, outcome: Outcome): void;
  onFailure(error: unknown, call: Call): void;
  /** Called during close, after all connections have ended: stops remaining work for cut calls. */
  release?(): Promise<void>;
}

export interface CallOptions {
  /** Aborted when the caller is gone or the server closes. */
  readonly signal: AbortSignal;
  /** Whether the request asks for a WebSocket. @defaultValue false */
  readonly isUpgrade?: boolean;
  /** Whether the live session has word times. @defaultValue false */
  readonly isTimed?: boolean;
}

/** One request on its way through a server, whether it came by a socket or from the same process. */
export class Call {
  readonly request: IncomingRequest;
  readonly path: string;
  readonly traceId: string;
  /** The caller's key, if the header has the form of one. Never logged. */
  readonly key: string | undefined;
  readonly signal: AbortSignal;
  readonly isUpgrade: boolean;
  readonly isTimed: boolean;
  readonly answerHeaders: Record<string, string>;
  /** Undefined until path and method are known to belong to an operation. */
  operation: Operation | undefined;
  /** Refusal of the request, or of the last refused message of its live session. */
  refusal: Refusal | undefined;
  visit: Visit | undefined;
  /** Its entry in the log; undefined for preflights and the server's own pages. */
  record: OpenCall | undefined;
  readonly #service: Service;
  readonly #origins: OriginPolicy;
  readonly #start = performance.now();
  #status: number | undefined;

  constructor(
    { service, origins }: { readonly service: Service; readonly origins: OriginPolicy },
    request: IncomingRequest,
    { signal, isUpgrade = false, isTimed = false }: CallOptions,
  ) {
    this.#service = service;
    this.#origins = origins;
    this.request = request;
    this.path = request.url.split('?')[0] ?? '';
    this.traceId = traceIdOf(this.path, request);
    this.key = readBearerKey(request.headers.authorization);
    this.signal = signal;
    this.isUpgrade = isUpgrade;
    this.isTimed = isTimed;
    this.answerHeaders = {
      [headerNames.traceId]: this.traceId,
      ...origins.headersFor(request.headers.origin),
    };
  }

  /** @throws Refusal `foreign-host` */
  checkHost(): void {
    this.#origins.checkHost(this.request.headers.host);
  }

  /** @throws Refusal `foreign-origin` */
  checkOrigin(): void {
    this.#origins.checkOrigin(this.request.headers.origin);
  }

  noteRefusal(refusal: Refusal): void {
    this.refusal = refusal;
    if (this.operation !== undefined) this.record?.isFor(this.operation);
    this.record?.refused(refusal);
  }

  /** Notes why the call failed; neither a caller who left nor a cut on purpose is a failure of the server. */
  noteFailure(error: unknown): void {
    if (error instanceof Refusal) this.noteRefusal(error);
    else if (!isAbort(error) && !(error instanceof CutOnPurpose)) this.#service.onFailure(error, this);
  }

  /** Records that this answer begins to leave. */
  answers(answer: Answer): void {
    this.#status = answer.status;
    if (this.record !== undefined) this.record.status = answer.status;
  }

  /** Records that the call is over. */
  ends(isComplete: boolean): void {
    const milliseconds = Math.round(performance.now() - this.#start);
    const outcome = { status: this.#status, isComplete, milliseconds };
    this.record?.ended(outcome);
    this.visit?.onEnd?.();
    this.#service.onEnd?.(this, outcome);
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** The key of an Authorization header, or `undefined` when the header is absent or has another form. */
export function readBearerKey(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w\-.~+/]+=*) *$/i.exec(authorization ?? '')?.[1];
}

const shape = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-.*)?$/;

/** The trace id of a W3C `traceparent` header. A version later than 00 may have more after its flags. */
export function readTraceId(header: string | undefined): string | undefined {
  const [, version, traceId, parentId, rest] = shape.exec(header ?? '') ?? [];
  if (version === undefined || traceId === undefined || parentId === undefined) return undefined;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  return /^0+$/.test(traceId) || /^0+$/.test(parentId) ? undefined : traceId;
}

/** A new trace id of 32 hex digits. It is a UUID, which Node takes from a pool: many times faster than 16 fresh bytes. */
function newTraceId(): string {
  return randomUUID().replaceAll('-', '');
}

/** Endpoints that take `traceparent` continue a valid trace; all other requests start their own. */
function traceIdOf(path: string, { headers }: IncomingRequest): string {
  const traced = Object.values(operationTable).some((row) => row.acceptsTraceparent && row.path === path);
  return (traced ? readTraceId(headers[headerNames.traceparent]) : undefined) ?? newTraceId();
}

export interface AnsweringParts {
  readonly service: Service;
  readonly receiver: Receiver;
  readonly origins: OriginPolicy;
  readonly faults: FaultPlan;
}

/**
 * Answers a call, whatever goes wrong: makes the checks in the order of the spec's refusals, asks the service, and applies
 * faults.
 *
 * @returns undefined if the connection is to end without an answer
 */
export async function answerCall(parts: AnsweringParts, call: Call): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  try {
    answer = answerPreflight(parts, call) ?? (await answerOwnPage(parts, call)) ?? (await visit(parts, call));
  } catch (error) {
    answer = failureAnswer(parts, call, error);
  }
  return answer && { ...answer, headers: { ...call.answerHeaders, ...answer.headers } };
}

/** Preflights carry no key. A page that may call may send any header. */
function answerPreflight({ origins }: AnsweringParts, call: Call): Answer | undefined {
  const { method, headers } = call.request;
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return undefined;
  call.checkHost();
  call.checkOrigin();
  return emptyAnswer(204, origins.preflightHeaders(headers['access-control-request-headers']));
}

async function answerOwnPage({ service }: AnsweringParts, call: Call): Promise<Answer | undefined> {
  const check = (): void => {
    call.checkHost();
    if (service.checkOwnPage === undefined) call.checkOrigin();
    else service.checkOwnPage(call);
  };
  return answerCallPage(service, call.request, check) ?? (await service.answerOwnPage?.(call));
}

async function visit(parts: AnsweringParts, call: Call): Promise<Answer | undefined> {
  const { service, receiver, faults } = parts;
  const { request, signal } = call;
  const record = service.log.open(call);
  call.record = record;
  const visit = service.visit(call);
  call.visit = visit;
  const checks: ServerChecks = {
    'foreign-host': () => call.checkHost(),
    'foreign-origin': () => call.checkOrigin(),
    'key-missing': (operation) => {
      call.operation = operation;
      checkKeyForm(call);
    },
    'upgrade-required': () => checkUpgrade(call),
    ...visit.checks,
  };
  const received = await receiver.receive({ ...request, url: visit.url ?? request.url }, checks);
  record.received(received);
  const answer = async (): Promise<Answer> => begun(await visit.answer(received, record));
  const fault = faults(request);
  if (fault === undefined) return await answer();
  record.remark(`Fault: ${describeFaults(fault)}.`);
  if (fault.delayMilliseconds !== undefined) await sleep(fault.delayMilliseconds, undefined, { signal });
  if (fault.reset) return undefined;
  if (fault.status !== undefined) {
    const refused = faultAnswer(fault.status, service.name, call.operation?.exampleIssues);
    return withFaults(refused, fault, signal);
  }
  return withFaults(
    await answer().catch((error: unknown) => failureAnswer(parts, call, error)),
    fault,
    signal,
  );
}

/** The answer once its first piece is made, so that a failure before it can still become an error answer. */
async function begun(answer: Answer): Promise<Answer> {
  const { body } = answer;
  if (body === undefined || isBytes(body)) return answer;
  const pieces = body[Symbol.asyncIterator]();
  const first = await pieces.next();
  return { ...answer, body: resumed(first, pieces) };
}

async function* resumed(
  first: IteratorResult<Uint8Array>,
  pieces: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let piece = first; !piece.done; piece = await pieces.next()) yield piece.value;
  } finally {
    await pieces.return?.();
  }
}

function describeFaults(fault: Faults): string {
  return Object.entries(fault)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}

const webSocketVersion = '13';
/** 16 bytes in base64. */
const webSocketKey = /^[+/\dA-Za-z]{22}==$/;
const subprotocolName = /^[\w!#$%&'*+\-.^`|~]+$/;

/** RFC 6455, section 4.2. @throws Refusal `upgrade-required`, or `rule` for its subprotocols */
function checkUpgrade({ request, isUpgrade }: Call): void {
  const { 'sec-websocket-version': version, 'sec-websocket-key': key = '' } = request.headers;
  const subprotocols = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim());
  const refuse = (message: string): never => {
    const headers = {
      upgrade: 'websocket',
      connection: 'upgrade',
      'sec-websocket-version': webSocketVersion,
    };
    throw new Refusal('upgrade-required', { message, headers });
  };
  if (!isUpgrade) refuse('This address is for WebSockets: send the headers of an upgrade.');
  if (version !== webSocketVersion) {
    const state = version === undefined ? 'is missing' : `is ${version.slice(0, 20)}`;
    refuse(`The header Sec-WebSocket-Version ${state}; send ${webSocketVersion}.`);
  }
  if (!webSocketKey.test(key)) {
    const state = key === '' ? 'is missing' : 'is malformed';
    refuse(`The header Sec-WebSocket-Key ${state}; send 16 random bytes in base64.`);
  }
  if (subprotocols === undefined) return;
  const areUnique = new Set(subprotocols).size === subprotocols.length;
  if (areUnique && subprotocols.every((name) => subprotocolName.test(name))) return;
  const message = 'The header Sec-WebSocket-Protocol is malformed; send names that differ, between commas.';
  throw new Refusal('rule', { message });
}

function checkKeyForm({ key }: Call): void {
  if (key !== undefined) return;
  const message = 'The header `Authorization: Bearer <API_KEY>` is missing or has another form.';
  throw new Refusal('key-missing', { message });
}

/** The reason of a failure goes to the log only: an answer must not show the inside of the server. */
function failureAnswer({ service }: AnsweringParts, call: Call, error: unknown): Answer {
  call.noteFailure(error);
  if (error instanceof Refusal) return refusalAnswer(error);
  if (isAbort(error)) {
    return refusalAnswer(new Refusal('overloaded', { message: `The ${service.name} is closing.` }));
  }
  const message = `The ${service.name} failed; its log has the reason under the trace id ${call.traceId}.`;
  return refusalAnswer(new Refusal('fault', { message }));
}
