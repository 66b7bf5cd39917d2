// Bodies as pieces of bytes, for the events here and for every answer of the client.

/** A body: what `Response.body` is, a stream of Node, or any async iterable of bytes. */
export type Body = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

interface Reader {
  next(): Promise<IteratorResult<Uint8Array, unknown>>;
  cancel(): unknown;
}

/** The pieces of a body; reading can stop at any time. Nothing is read ahead. */
export class Source {
  readonly #reader: Reader | undefined;
  #stopWaiting: (() => void) | undefined;
  isLeft = false;

  /** @param body - Null for an answer without a body. It must not have another reader. */
  constructor(body: Body | null) {
    this.#reader = body === null ? undefined : readerOf(body);
  }

  /** The next piece; undefined after the end of the body or after `leave`. */
  next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return new Promise((resolve, reject) => {
      if (this.isLeft || !this.#reader) return resolve(undefined);
      this.#stopWaiting = () => resolve(undefined);
      this.#reader.next().then(({ done, value }) => {
        if (done === true) resolve(undefined);
        else if (value) resolve(value as Uint8Array<ArrayBuffer>);
        else reject(new TypeError(`a piece of the stream is ${value}; only its end ends it`));
      }, reject);
    });
  }

  /** Cancels the body. A pending `next` finishes at once, whatever the body does. */
  leave(): void {
    if (this.isLeft) return;
    this.isLeft = true;
    this.#stopWaiting?.();
    // Not awaited: a body that never finishes cancelling must not hold up the caller, and one that failed does not matter.
    Promise.resolve(this.#reader?.cancel()).catch(() => undefined);
  }
}

function readerOf(body: Body): Reader {
  if ('getReader' in body) {
    const reader = body.getReader();
    return {
      next: () => reader.read() as ReturnType<Reader['next']>,
      cancel: () => reader.cancel(),
    };
  }
  const pieces = body[Symbol.asyncIterator]();
  const { destroy } = body as { destroy?: () => void };
  // The iterator of a stream of Node would wait for the pending piece before it ends.
  return { next: () => pieces.next(), cancel: () => (destroy ? destroy.call(body) : pieces.return?.()) };
}

/** The items of a generator over a source. Its own `return` would wait for the piece of a pending `next`. */
export function leavable<Item>(
  items: AsyncGenerator<Item, void, undefined>,
  leave: () => void,
): AsyncIterableIterator<Item, void, undefined> {
  return {
    next: () => items.next(),
    return() {
      leave();
      return items.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** All pieces in one array. */
export function joinPieces(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let position = 0;
  for (const piece of pieces) {
    joined.set(piece, position);
    position += piece.length;
  }
  return joined;
}
