import { kindOf } from '../copy.ts';
import { RequestError, type SpeechError } from '../errors.ts';
import type { Call } from './call.ts';

/**
 * A success as a `Response` of the platform, whose stream ends the call when it ends, fails or is left, and gives each
 * piece within its deadline. Its headers are those of the service, and so is its `url`, which a clone lacks.
 */
export function guarded(call: Call, response: Response): Response {
  const { status, statusText, headers, url } = response;
  call.status = status;
  let stream: ReadableStream<Uint8Array> | null = null;
  // The constructor refuses a body for these.
  if (response.body && status !== 204 && status !== 205) {
    requireUnread(call, response);
    stream = new ReadableStream(new Guard(call, response, response.body), { highWaterMark: 0 });
  } else {
    cancelBody(response);
    call.finish();
  }
  const shownText = /^[\t -~]*$/.test(statusText) ? statusText : '';
  const made = new Response(stream, { status, statusText: shownText, headers });
  return Object.defineProperty(made, 'url', { value: url });
}

/** Looks at the pieces of a body as they pass, whoever reads them. One that held the answer would keep it in memory. */
export interface Inspector {
  /** Throws for a wrong piece; false means that the piece does not keep the call alive. */
  piece(piece: Uint8Array): unknown;
  /** Throws or rejects at the end of a body that is not complete. */
  end?(): unknown;
}

/** The source of a guarded stream. Nothing is read ahead. */
class Guard implements UnderlyingDefaultSource<Uint8Array> {
  readonly #call: Call;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  // Kept: the abort of a signal does not reach an answer of Node that was collected.
  readonly response: Response;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #phase: 'firstByte' | 'idle' = 'firstByte';
  #waited = 0;

  constructor(call: Call, response: Response, body: ReadableStream<Uint8Array>) {
    this.#call = call;
    this.response = response;
    this.#reader = body.getReader();
    call.core.forgotten.register(this, call, call);
    // Weak: a call that holds its stream could never be collected.
    const guard = new WeakRef(this);
    call.interrupt = (failure) => guard.deref()?.fail(failure);
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const call = this.#call;
    try {
      for (;;) {
        const { done, value } = await this.#read();
        if (done) {
          await call.inspector?.end?.();
          call.finish();
          return controller.close();
        }
        // Not "instanceof": where tests have a realm of their own, the bytes are of another.
        if (kindOf(value) !== 'Uint8Array') throw call.protocolError('the body holds no bytes');
        if (value.length === 0) continue;
        if (call.inspector?.piece(value) !== false) {
          this.#waited = 0;
          this.#phase = 'idle';
        }
        return controller.enqueue(value);
      }
    } catch (error) {
      this.#cancelReader();
      throw call.end(error);
    }
  }

  cancel(): void {
    this.#cancelReader();
    this.#call.abandon();
  }

  /** Passes a failure on at once, whatever the source does. */
  fail(failure: SpeechError): void {
    this.#controller?.error(failure);
    this.#cancelReader();
  }

  async #read(): Promise<ReadableStreamReadResult<Uint8Array>> {
    const started = Date.now();
    const stop = this.#call.startTimer(this.#phase, this.#waited);
    try {
      return await this.#reader.read();
    } finally {
      stop();
      this.#waited += Date.now() - started;
    }
  }

  #cancelReader(): void {
    // Rejects if the body has failed already, which does not matter here.
    this.#reader.cancel().catch(() => undefined);
  }
}

/** The pieces of an answer, once. Leaving them ends the call. @throws `TypeError` the second time. */
export function piecesOf(call: Call, response: Response): AsyncIterableIterator<Uint8Array, void, undefined> {
  if (isTaken(response)) throw new TypeError('the answer can be read only once');
  const reader = response.body?.getReader();
  return iterate(
    async () => (await reader?.read())?.value,
    () => {
      reader?.cancel().catch(() => undefined);
      call.abandon();
    },
  );
}

/** True if somebody reads the body of an answer, or has read it. */
function isTaken(response: Response): boolean {
  return response.bodyUsed || response.body?.locked === true;
}

/** Refuses an answer whose body a middleware or a `fetch` has read. */
export function requireUnread(call: Call, response: Response): void {
  if (isTaken(response)) throw call.protocolError('the body of the answer was read elsewhere');
}

/** Closes the connection of an answer that nobody reads. */
export function cancelBody(response: Response): void {
  // Rejects if the body is being read or has failed already, which does not matter here.
  response.body?.cancel().catch(() => undefined);
}

/** Refuses a partial answer to a request for the whole, and a body that was already read. */
export function requireWhole(call: Call, response: Response): void {
  if (response.status === 206) throw call.protocolError('the service answered with a part of a body');
  requireUnread(call, response);
}

/** Limit on how much of a body is held in memory. */
export interface HoldOptions {
  /** A longer body is an error, and its connection is closed. @defaultValue 1073741824 (1 GiB) */
  readonly maximumBytes?: number;
}

/** Validates the options of `bytes` and similar methods, and returns the limit in bytes. */
export function limitOf(options: HoldOptions = {}): number {
  const { maximumBytes = 2 ** 30, ...others } = Object(options) as HoldOptions;
  const isRight = kindOf(options) === 'Object' && Object.keys(others).length === 0 && maximumBytes > 0;
  if (isRight && typeof maximumBytes === 'number') return maximumBytes;
  throw new RequestError('the options must be { maximumBytes } with a number above 0', {
    field: 'maximumBytes',
  });
}

/** All pieces in one array; more than `maximumBytes` is an error. */
export async function collect(
  call: Call,
  pieces: AsyncIterable<Uint8Array>,
  maximumBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const found: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    found.push(piece);
    length += piece.length;
    if (length > maximumBytes) throw call.protocolError(`the answer is larger than ${maximumBytes} bytes`);
  }
  const joined = new Uint8Array(length);
  for (const piece of found.reverse()) {
    length -= piece.length;
    joined.set(piece, length);
  }
  return joined;
}

/**
 * An iterator over what `read` gives until it gives undefined. Not a generator: one that waits for a piece would not
 * hear of `return` before it came.
 */
export function iterate<Piece>(
  read: () => Promise<Piece | undefined>,
  leave: () => void,
): AsyncIterableIterator<Piece, void, undefined> {
  let left = false;
  const end = { done: true, value: undefined } as const;
  return {
    async next() {
      if (left) return end;
      try {
        const value = await read();
        if (value !== undefined && !left) return { done: false, value };
        left = true;
        return end;
      } catch (error) {
        if (left) return end;
        throw error;
      }
    },
    async return() {
      left = true;
      leave();
      return end;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
