import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';

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
  readonly message?: (message: LiveMessage, count: number) => readonly LiveMessage[];
  readonly sent?: (message: LiveMessage, count: number) => readonly LiveMessage[];
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

/** State shared by the parts of the proxy. */
export interface ProxyState {
  /** Address of the server. */
  readonly target: URL;
  interference: Interference | undefined;
  changes: number;
}

/** The interference that concerns a request, if there is one. */
export function interferenceWith(state: ProxyState, { method, target }: CarriedRequest) {
  const { pathname } = new URL(target, state.target);
  return state.interference?.concerns(method, pathname) === true ? state.interference : undefined;
}

/** The replacement, counted if it really differs; the original if there is none. */
export function changed<Carried>(state: ProxyState, original: Carried, other: Carried | undefined): Carried {
  if (other === undefined) return original;
  if (!isDeepStrictEqual(other, original)) state.changes++;
  return other;
}

/** The whole of a request. */
export async function readRequest(incoming: IncomingMessage): Promise<CarriedRequest> {
  const { method = 'GET', url: target = '/', headers } = incoming;
  return { method, target, headers: { ...headers }, body: await buffer(incoming) };
}

/** The whole of an answer. */
export async function readAnswer(incoming: IncomingMessage): Promise<CarriedAnswer> {
  const { statusCode: status = 502, headers } = incoming;
  return { status, headers: { ...headers }, body: await buffer(incoming) };
}
