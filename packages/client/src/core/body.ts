import { kindOf } from '../copy.ts';
import { RequestError } from '../errors.ts';
import type { Call } from './call.ts';

/**
 * A success as a `Response` of the platform, whose stream ends the call when it ends, fails or is left, and gives each
 * piece within its deadline. Its headers are those of the service, and so is its `url`, which a clone lacks.
 */
export function guarded(call: Call, response: Response): Response {
  const { status, statusText, headers, url } = response;
  let stream: ReadableStream<Uint8Array> | null = null;
  // The constructor refuses a body for these.
  if (response.body && status !== 204 && status !== 205) {
    if (response.bodyUsed || response.body.locked) throw readElsewhere(call, response);
    stream = new ReadableStream(new Guard(call, response, response.body), { highWaterMark: 0 });
  } else {
    cancelBody(response);
    call.finish();
  }
  const shownText = /^[\t -~]*$/.test(statusText) ? statusText : '';
  const made = new Response(stream, { status, statusText: shownText, headers });
  return Object.defineProperty(made, 'url', { value: url });
}

/** The source of a guarded stream. Nothing is read ahead. */
class Guard implements UnderlyingDefaultSource<Uint8Array> {
  readonly #call: Call;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  // Kept: the abort of a signal does not reach an answer of Node that was collected.
  readonly #response: Response;
  #phase: 'firstByte' | 'idle' = 'firstByte';
  #waited = 0;

  constructor(call: Call, response: Response, body: ReadableStream<Uint8Array>) {
    this.#call = call;
    this.#response = response;
    this.#reader = body.getReader();
    call.transport.forgotten.register(this, call, call);
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const call = this.#call;
    for (;;) {
      const { done, value } = await this.#read(controller);
      if (done) {
        call.finish();
        return controller.close();
      }
      // Not "instanceof": where tests have a realm of their own, the bytes are of another.
      if (kindOf(value) !== 'Uint8Array') {
        throw call.protocolError('the body holds no bytes', { response: this.#response });
      }
      if (value.length === 0) continue;
      if (call.isAlive?.(value) !== false) {
        this.#waited = 0;
        this.#phase = 'idle';
      }
      return controller.enqueue(value);
    }
  }

  cancel(): void {
    this.#cancelReader();
    this.#call.abandon();
  }

  async #read(
    controller: ReadableStreamDefaultController<Uint8Array>,
  ): Promise<ReadableStreamReadResult<Uint8Array>> {
    const call = this.#call;
    if (call.failure) throw call.failure;
    // A failure is passed on at once, whatever the source does. Kept only meanwhile: a call that holds its stream could
    // never be collected.
    call.interrupt = (failure) => {
      controller.error(failure);
      this.#cancelReader();
    };
    const started = Date.now();
    const stop = call.startTimer(this.#phase, this.#waited);
    try {
      return await this.#reader.read();
    } catch (error) {
      throw call.end(error);
    } finally {
      stop();
      call.interrupt = undefined;
      this.#waited += Date.now() - started;
    }
  }

  #cancelReader(): void {
    // Rejects if the body has failed already, which does not matter here.
    this.#reader.cancel().catch(() => undefined);
  }
}

/** The body of an answer, to be read once. */
export interface Body {
  /** The next piece, or undefined at the end. */
  read(): Promise<Uint8Array | undefined>;
  /** Leaves the body and ends the call. */
  leave(): void;
}

/** The body of an answer as it is when it is first read: a middleware or a caller may have cloned it before. */
export function bodyOf(call: Call, response: Response): Body {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return {
    async read() {
      if (!reader) {
        if (response.bodyUsed || response.body?.locked) throw readElsewhere(call, response);
        reader = response.body?.getReader();
      }
      try {
        const { value } = (await reader?.read()) ?? {};
        if (call.failure) throw call.failure;
        if (value === undefined) call.finish();
        return value;
      } catch (error) {
        throw call.end(error);
      }
    },
    leave() {
      if (reader) reader.cancel().catch(() => undefined);
      else cancelBody(response);
      call.abandon();
    },
  };
}

function readElsewhere(call: Call, response: Response): Error {
  return call.protocolError('the body of the answer was read elsewhere', { response });
}

/** Closes the connection of an answer that nobody reads. */
export function cancelBody(response: Response): void {
  // Rejects if the body is being read or has failed already, which does not matter here.
  response.body?.cancel().catch(() => undefined);
}

/** Refuses a part where the whole was asked for. */
export function refusePartial(call: Call, response: Response): void {
  if (response.status === 206)
    throw call.protocolError('the service answered with a part of a body', { response });
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
  return joinBytes(found, length);
}

/** One array of all the pieces, in order. */
export function joinBytes(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
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

/** A stream over an iterator that is opened by the first read. Nothing is read ahead. */
export function streamOf<Piece>(open: () => AsyncIterator<Piece>): ReadableStream<Piece> {
  let pieces: AsyncIterator<Piece> | undefined;
  return new ReadableStream<Piece>(
    {
      async pull(controller) {
        pieces ??= open();
        const { done, value } = await pieces.next();
        if (!done) return controller.enqueue(value);
        try {
          controller.close();
        } catch {
          // Cancelled while it waited.
        }
      },
      async cancel() {
        await (pieces ?? open()).return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
