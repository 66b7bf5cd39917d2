import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** A request on its way to the server, read to its end. */
export interface CarriedRequest {
  readonly method: string;
  /** Path and query, as they stand in the request line. */
  readonly target: string;
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly body: Buffer;
}

/** An answer on its way to the caller, read to its end. */
export interface CarriedAnswer {
  readonly status: number;
  readonly headers: Readonly<OutgoingHttpHeaders>;
  readonly body: Buffer;
  /** The connection breaks after so many bytes of the body. */
  readonly cutAfter?: number;
}

/** One direction of a live session: what to send in place of a message, and in place of its end. */
export interface LiveChange {
  /** Messages in place of one that the server sent. */
  readonly message?: (message: LiveMessage, count: number) => readonly LiveMessage[];
  /** Messages in place of one that the client sent. */
  readonly sent?: (message: LiveMessage, count: number) => readonly LiveMessage[];
}

/** A frame with its payload, or the close frame. */
export interface LiveMessage {
  readonly kind: 'binary' | 'text' | 'close';
  readonly payload: Buffer;
}

/** What a proxy does to what passes through it. `undefined` from a change means: this one passes as it is. */
export interface Interference {
  /** Whether anything may be done to this call; the others are piped through unread. */
  concerns(call: {
    readonly method: string;
    readonly path: string;
    readonly query: URLSearchParams;
  }): boolean;
  /** Another request in place of this one. */
  readonly request?: (request: CarriedRequest) => CarriedRequest | undefined;
  /** An answer without asking the server. */
  readonly instead?: (request: CarriedRequest) => CarriedAnswer | undefined;
  /** Another answer in place of this one. */
  readonly answer?: (answer: CarriedAnswer, request: CarriedRequest) => CarriedAnswer | undefined;
  /** Made anew for each live session. */
  readonly live?: () => LiveChange;
}
