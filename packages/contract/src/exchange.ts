import type { OperationId } from '@speech-api/types';

/** One recorded exchange, which the judge judges, whoever recorded it. */
export type Exchange = HttpExchange | LiveExchange;

/** Expected outcome of a request. Without one any answer is accepted, unless the request breaks the spec. */
export type Expectation = SuccessExpected | RefusalExpected;

/**
 * Basis of an expectation that the interface does not state: public documentation, or an assumption of the
 * specification. A finding is then a warning.
 */
export type Rests = 'public' | 'assumed';

/** The request keeps the contract, so the server has no reason to refuse it. */
export interface SuccessExpected {
  readonly outcome: 'success';
  readonly rests?: Rests;
}

/** The request breaks something, so a 2xx is a violation. */
export interface RefusalExpected {
  readonly outcome: 'refused';
  /** Ids in the spec's `rules/refusals.yaml` that are accepted; a different 4xx is only a warning. */
  readonly refusals: readonly string[];
  /** Description of the mistake in the request; it is part of the finding. */
  readonly because: string;
  readonly rests?: Rests;
  /** The wrong field, if it is exactly one. */
  readonly field?: string;
}

/**
 * Relation between several exchanges.
 *
 * - `encodings`: one request in several content types; neither status, type nor shape differ.
 * - `trace`: one request without and with `traceparent`; it changes nothing.
 * - `repeat`: one request several times; the audio is compared with `deterministic` alone.
 * - `pages`: all pages of one list in order; nothing is repeated or left out.
 * - `filters`: one list, asked with the values of a filter in another order; it is the same list.
 * - `speech`: one text at several rates and speeds; its length is compared.
 * - `operation`: all calls of one operation that should succeed; the judge puts them together itself.
 * - `texts`: all speech whose requests differ in their text alone; the judge puts it together itself.
 * - `recordings`: transcriptions of texts that the service itself has spoken.
 * - `untraced`: all calls without a valid traceparent; the judge puts them together itself.
 * - `voice`: the life of one voice model: created, read, changed, deleted, gone.
 */
export type Relation =
  | 'encodings'
  | 'trace'
  | 'repeat'
  | 'pages'
  | 'filters'
  | 'voice'
  | 'speech'
  | 'texts'
  | 'recordings'
  | 'operation'
  | 'untraced';

/** The part an exchange plays in a group. An exchange may be in several groups. */
export interface GroupMembership {
  /** The same id in every exchange of the group. */
  readonly id: string;
  readonly relation: Relation;
  /**
   * The step of a `voice` group: `create`, `read`, `list-created`, `use`, `update`, `read-updated`, `list-updated`, `delete`,
   * `read-deleted` or `list-deleted`.
   * For `trace`, `without` or `with`; for `speech`, `slow`, `fast` or nothing; for `recordings`, the text that was spoken. Other relations go by the order of the exchanges.
   */
  readonly role?: string;
}

/** One request and its answer. */
export interface HttpExchange {
  readonly kind: 'http';
  /** Name for people, unique within a run: `createSpeech, mp3 at 32000 Hz`. */
  readonly name: string;
  /** Found by method and path when it is left out. */
  readonly operationId?: OperationId;
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
  readonly expectation?: Expectation;
  readonly groups?: readonly GroupMembership[];
  /** Place of the recording, if it comes from a file. */
  readonly source?: Source;
}

export interface RecordedRequest {
  /** The method in upper case. */
  readonly method: string;
  /** Absolute URL with its query. */
  readonly url: string;
  /** Headers by lower-case name. `authorization` may be present; it is never shown. */
  readonly headers: Headers;
  /** The bytes that were sent, if there were any and they are known. */
  readonly body?: Uint8Array;
  /** The decoded body, with binary parts as `Uint8Array`. Read from `body` when it is left out. */
  readonly decoded?: unknown;
}

export interface RecordedResponse {
  readonly status: number;
  /** Headers by lower-case name; several of one name are joined by `, `. */
  readonly headers: Headers;
  /** The body after content and transfer coding were undone; incomplete if it was cut. */
  readonly body: Uint8Array;
  /** True if the answer had a body that the recording lacks. @defaultValue false */
  readonly isBodyMissing?: boolean;
  /** The version of HTTP, where it is known: `1.1`, `2`. */
  readonly httpVersion?: string;
  /** Reason for a missing answer, if the status is 0, or for a body that Node refuses: `the connection was refused`. */
  readonly failure?: string;
  /** How the body ended: complete according to its transfer coding, or not. */
  readonly ended: BodyEnd;
}

/**
 * `cut`: the connection broke; `deadline`: we stopped reading; `unknown`: the recording does not show whether its recorder saw
 * the end, so that only what came is judged.
 */
export type BodyEnd = 'complete' | 'cut' | 'deadline' | 'unknown';

/** Header values by lower-case name. */
export type Headers = Readonly<Record<string, string>>;

/** One live session, from the upgrade to the close. */
export interface LiveExchange {
  readonly kind: 'live';
  /** Name for people, unique within a run. */
  readonly name: string;
  readonly operationId: 'openLiveSession';
  readonly upgrade: {
    readonly request: { readonly method: 'GET'; readonly url: string; readonly headers: Headers };
    /** Status 101, or the refusal with its body. */
    readonly response: RecordedResponse;
  };
  /** The messages of both directions, in order. */
  readonly messages: readonly LiveMessage[];
  /** Awaited events that did not come before the deadline, in order. */
  readonly unanswered?: readonly ('audio' | 'finish' | 'close')[];
  /** Close of the socket; left out if the upgrade was refused. */
  readonly close?: LiveClose;
  /** True if the client closed on its own, so that later messages of the server are not missing. @defaultValue false */
  readonly clientLeft?: boolean;
  readonly expectation?: Expectation;
  readonly groups?: readonly GroupMembership[];
  /** Place of the recording, if it comes from a file. */
  readonly source?: Source;
}

export interface LiveMessage {
  readonly direction: 'sent' | 'received';
  readonly frame: 'binary' | 'text';
  readonly bytes: Uint8Array;
}

export interface LiveClose {
  /** 1005 when the peer gave none, 1006 when the connection broke. */
  readonly code: number;
  readonly reason: string;
  /** The side that closed first; `nobody` if we stopped waiting. */
  readonly by: 'client' | 'server' | 'nobody';
}

/** The answer of a call, or to the upgrade of a session. */
export function responseOf(exchange: Exchange): RecordedResponse {
  return exchange.kind === 'live' ? exchange.upgrade.response : exchange.response;
}

/** The place in a file where an exchange was recorded. */
export interface Source {
  /** The file name as the user gave it, such as on a command line. */
  readonly file: string;
  /** Line number, counted from 1. */
  readonly line?: number;
}
