import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** A request on its way to the server, read to its end. */
export interface CarriedRequest {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly target: string;
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly body: Buffer;
}

/** An answer on its way to the caller, read to its end. */
export interface CarriedAnswer {
  readonly status: number;
  readonly headers: Readonly<OutgoingHttpHeaders>;
  readonly body: Buffer;
  /** The connection breaks after this many bytes of the body. */
  readonly cutAfter?: number;
}

/** A frame with its payload, or the close frame. */
export interface LiveMessage {
  readonly kind: 'binary' | 'text' | 'close';
  readonly payload: Buffer;
}

/** Messages in place of one: of the server in `message`, of the client in `sent`. */
export interface LiveChange {
  readonly message?: (message: LiveMessage) => readonly LiveMessage[];
  readonly sent?: (message: LiveMessage) => readonly LiveMessage[];
}

/** Another answer in place of this one; `undefined` leaves it as it is. */
export type AnswerChange = (answer: CarriedAnswer, request: CarriedRequest) => CarriedAnswer | undefined;

/** Another request in place of this one; `undefined` leaves it as it is. */
export type RequestChange = (request: CarriedRequest) => CarriedRequest | undefined;

/** Changes that a proxy makes to the calls that it concerns. */
export interface Interference {
  readonly concerns: (method: string, path: string) => boolean;
  readonly request?: RequestChange;
  /** An answer without asking the server. */
  readonly instead?: (request: CarriedRequest) => CarriedAnswer | undefined;
  readonly answer?: AnswerChange;
  /** Made anew for each live session. */
  readonly live?: () => LiveChange;
}
