import {
  headerNames,
  type LiveTimedAudioMessage,
  mediaTypes,
  type Refusal as RefusalEntry,
  refusals,
  type SynthesisRequest,
} from '@speech-api/types';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Pieces are made as they are sent: a slow reader slows the maker down. A failure before the first piece becomes an error
   * answer; after it the connection is cut, so that a broken body never seems to have ended well.
   */
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>;
  /** The speech of a connection that becomes a WebSocket, with the status 101. */
  readonly live?: LiveService;
}

/** A piece of audio with its word times. */
export type TimedPiece = Omit<LiveTimedAudioMessage, 'event'>;

/** Speech that is made while its text arrives. */
export interface LiveSpeech {
  /** @throws Refusal when the text cannot be spoken, such as for lack of credit */
  write(text: string): void;
  flush(): void;
  end(): void;
  /** The audio, piece by piece, until after `end`. It throws a `Refusal` that tells the caller why. */
  readonly pieces: AsyncIterable<Uint8Array | TimedPiece>;
}

export interface LiveService {
  readonly model: string | undefined;
  /**
   * Opens the speech of one session, with the text of its request as the first text.
   *
   * @param signal aborted when the client has gone
   * @throws Refusal when the caller may not have this spoken
   */
  open(request: SynthesisRequest, signal: AbortSignal): LiveSpeech | Promise<LiveSpeech>;
}

export const switchingProtocols = 101;

export function bytesAnswer(status: number, body: Uint8Array, headers: Answer['headers'] = {}): Answer {
  return { status, headers: { ...headers, 'content-length': String(body.length) }, body };
}

export function jsonAnswer(status: number, value: unknown, headers: Answer['headers'] = {}): Answer {
  const body = Buffer.from(JSON.stringify(value));
  return bytesAnswer(status, body, { ...headers, 'content-type': mediaTypes.json });
}

/** An answer with a file, or with the one part of it that is asked for: a player jumps by asking for parts. */
export function rangeAnswer(
  range: string | undefined,
  { mediaType, bytes }: { readonly mediaType: string; readonly bytes: Uint8Array },
  others: Answer['headers'],
): Answer {
  const headers = { ...others, 'content-type': mediaType, 'accept-ranges': 'bytes' };
  const [, from = '', to = ''] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(range ?? '') ?? [];
  if (from === '') return bytesAnswer(200, bytes, headers);
  const start = Number(from);
  const end = Math.min(to === '' ? Number.POSITIVE_INFINITY : Number(to), bytes.length - 1);
  if (start > end) return emptyAnswer(416, { ...others, 'content-range': `bytes */${bytes.length}` });
  const part = bytes.subarray(start, end + 1);
  return bytesAnswer(206, part, { ...headers, 'content-range': `bytes ${start}-${end}/${bytes.length}` });
}

export function emptyAnswer(status = 200, headers: Answer['headers'] = {}): Answer {
  return { status, headers: { ...headers, ...(status === 204 ? {} : { 'content-length': '0' }) } };
}

export function refusalAnswer({ status, body, headers }: Refusal): Answer {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return jsonAnswer(status, body, { ...challenge, ...headers });
}

/** Thrown where an answer is cut on purpose; it is no error of the server. */
export class CutOnPurpose extends Error {
  override readonly name = 'CutOnPurpose';

  constructor() {
    super('The answer was asked to break off here.');
  }
}

/** One thing that is wrong with a request: an entry of the validation list. */
export interface ValidationIssue {
  /** Location: the part of the request, then names and indexes, such as `["body", "prosody", "speed"]`. */
  readonly loc: readonly string[];
  /** The kind of fault, such as `missing` or `greater_than`. Not part of the interface: do not rely on it. */
  readonly type: string;
  /** Message for people. Names the field. */
  readonly msg: string;
  /** The broken limit in words; empty if there is none. */
  readonly ctx: string;
  /** The part of the request; present on the voice model endpoints only. */
  readonly in?: string;
}

/** Maximum number of issues: more would not help a reader, and a hostile body must not cause a huge answer. */
export const maximumIssues = 20;

export interface RefusalDetails {
  readonly message: string;
  /** The validation list, if the entry says that the body is one. */
  readonly issues?: readonly ValidationIssue[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a lenient server would accept the request, for the log. @defaultValue false */
  readonly lenientAccepts?: boolean;
  readonly cause?: unknown;
}

/** A request that a server answers with an error. Its status and the shape of its body are the spec's. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly entry: RefusalEntry;
  readonly issues: readonly ValidationIssue[];
  readonly headers: Readonly<Record<string, string>>;
  readonly lenientAccepts: boolean;

  /** @param id - of an entry in the spec's refusal data */
  constructor(id: string, details: RefusalDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.entry = refusalEntry(id);
    this.issues = details.issues ?? [];
    this.headers = details.headers ?? {};
    this.lenientAccepts = details.lenientAccepts ?? false;
  }

  get status(): number {
    return this.entry.status;
  }

  /** Body to send as JSON: one of the two error bodies of the interface. */
  get body(): object {
    return this.entry.body === 'validation'
      ? this.issues
      : { status: this.entry.status, message: this.message };
  }
}

/** Headers of the refusal `overloaded`: seconds until another try has a chance. */
export const overloadHeaders: Readonly<Record<string, string>> = { [headerNames.retryAfter]: '5' };

/**
 * Explanation of a refusal on one line for a log: the refusal, the field and the reason, without the values
 * that were sent. The sender may log those; a server must not.
 */
export function reasonOf({ entry, issues, message, lenientAccepts }: Refusal): string {
  const [first, ...others] = issues;
  const place = first === undefined ? '' : ` at ${first.loc.join('.').slice(0, 120)}`;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const hint = lenientAccepts ? ' --lenient accepts this.' : '';
  return `${entry.id}${place}: ${withoutValues(first?.msg ?? message)}${more}${hint}`.replaceAll(/\s+/g, ' ');
}

/** A message without its quoted parts, which show what was sent. */
export function withoutValues(message: string): string {
  return message.replaceAll(/"(?:[^"\\]|\\.)*(?:"|$)/g, '"…"').slice(0, 500);
}

const keyCharacter = /[\w\-.~+/=]/;
/** Shorter keys are placeholders of tests and occur in ordinary words. */
const shortestSecret = 6;

/**
 * A text without the key of the caller, who may have put it where a name belongs; percent-encoded in any way, too. Of a
 * text with the key in it, what a key may contain is shown decoded. A key of fewer than six characters is left: it is a
 * placeholder.
 */
export function withoutKey(text: string, key: string | undefined): string {
  if (key === undefined || key.length < shortestSecret) return text;
  const plain = text.replaceAll(/%[\da-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return keyCharacter.test(character) ? character : encoded;
  });
  return plain.includes(key) ? plain.replaceAll(key, '…') : text;
}

export function refusalEntry(id: string): RefusalEntry {
  const entry = refusals.find((refusal) => refusal.id === id);
  if (entry === undefined) throw new Error(`The spec has no refusal ${id}.`);
  return entry;
}

/** Checks by the id of the refusal that they may throw. */
export type Checks = Record<string, () => void | Promise<void>>;

/**
 * Makes checks in the order of the spec's refusal data, whatever order they are written in: two servers that use it
 * refuse alike. A refusal that is not for the operation is skipped.
 */
export async function checkInOrder(checks: Checks, operationId: string | undefined): Promise<void> {
  for (const { id, applies_to: operations } of refusals) {
    const isOther = operationId !== undefined && operations?.includes(operationId) === false;
    if (!isOther) await checks[id]?.();
  }
}
