/**
 * A stand-in for `Request` that only remembers what it was made with.
 *
 * A real one costs some 40 microseconds a POST, and 27 ms at its first use in Node, only to be taken apart by
 * `fetch` again. It is used where nobody can look at it: when the client has no middleware.
 */
export class PlainRequest {
  readonly url: string;
  readonly init: RequestInit;
  readonly method: string;

  constructor(url: string, init: RequestInit) {
    this.url = url;
    this.init = init;
    this.method = init.method ?? 'GET';
  }
}

/** What a client sends: a real request where somebody may look at it. */
export type AnyRequest = Request | PlainRequest;

/** `Request` of the runtime, touched when the first request is made and not when a client is. */
export const LazyRequest = Object.defineProperty(
  function LazyRequest(url: string, init: RequestInit): Request {
    return new globalThis.Request(url, init);
  },
  Symbol.hasInstance,
  { value: (value: unknown) => value instanceof globalThis.Request },
) as unknown as typeof Request;
