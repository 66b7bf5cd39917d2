import { RequestError, type SpeechError } from '../errors.ts';
import { after } from './timer.ts';

// Bodies of answers, each watched where it is read.

/** The call that a body belongs to. */
export interface Watch {
  readonly failure: SpeechError | undefined;
  /** The reader to tell of a failure while a read is pending. */
  reader: BodyReader | undefined;
  startTimer(phase: 'firstByte' | 'idle', passed: number): () => void;
  protocolError(message: string): SpeechError;
  end(error: unknown): SpeechError;
  finish(): void;
  abandon(): void;
}

/** Converts the answer of another `fetch`, such as that of node-fetch, to a `Response` of the platform. */
export function asResponse(response: Response): Response {
  if (response instanceof Response) return response;
  const { body, status, headers, url } = response as Response;
  const source = sourceOf(body);
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await source.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => source.cancel(),
    },
    { highWaterMark: 0 },
  );
  const made = new Response(body && status !== 204 ? stream : null, { status, headers: [...headers] });
  return Object.defineProperty(made, 'url', { value: url });
}

/** Closes the connection of an answer that nobody reads. */
export function cancelBody({ body }: Response): void {
  if (!body?.locked) sourceOf(body).cancel();
}

interface Source {
  next(): Promise<IteratorResult<Uint8Array<ArrayBuffer>, unknown>>;
  cancel(): void;
}

/** The pieces of a web stream, or of a Node stream, which is the body in node-fetch. */
function sourceOf(body: unknown): Source {
  const ignore = (): void => undefined;
  if (!body) return { next: async () => ({ done: true, value: undefined }), cancel: ignore };
  const stream = body as ReadableStream<Uint8Array<ArrayBuffer>> & { destroy?: () => void };
  if ('getReader' in stream) {
    const reader = stream.getReader();
    return {
      next: () => reader.read() as ReturnType<Source['next']>,
      // A rejection means that the body has already failed, which does not matter here.
      cancel: () => void reader.cancel().catch(ignore),
    };
  }
  const pieces = (stream as AsyncIterable<Uint8Array<ArrayBuffer>>)[Symbol.asyncIterator]();
  return { next: () => pieces.next(), cancel: () => (stream as { destroy?: () => void }).destroy?.() };
}

/** Checks the pieces of a body as any reader receives them. */
export interface Inspector {
  /** Throws for a wrong piece; false means that the piece does not keep the call alive. */
  piece(piece: Uint8Array): unknown;
  /** Throws or rejects at the end of a body that is not complete. */
  end?(): unknown;
}

/** Reads the body of a success. Each wait for a piece has its deadline, and nothing is read ahead. */
export class BodyReader {
  readonly #call: Watch;
  readonly #response: Response;
  #source: Source | undefined;
  readonly #inspector: Inspector | undefined;
  readonly #waiting = new Set<(failure: SpeechError) => void>();
  #phase: 'firstByte' | 'idle' = 'firstByte';
  #waitedMilliseconds = 0;

  constructor(call: Watch, response: Response, inspector?: Inspector) {
    this.#call = call;
    this.#response = response;
    this.#inspector = inspector;
    call.reader = this;
  }

  /** The body is locked by the first read, not earlier: until then the `Response` can be cloned. */
  #take(): Source {
    const { body, bodyUsed } = this.#response;
    if (bodyUsed || body?.locked) throw this.#call.protocolError('the body of the answer was read elsewhere');
    return sourceOf(body);
  }

  /** The next piece, or undefined at the end of the body, which ends the call. */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const call = this.#call;
    try {
      for (;;) {
        if (call.failure) throw call.failure;
        this.#source ??= this.#take();
        const { done, value } = await this.#wait();
        if (done) {
          await this.#inspector?.end?.();
          call.finish();
          return undefined;
        }
        if (value.length === 0) continue;
        if (this.#inspector?.piece(value) !== false) {
          this.#waitedMilliseconds = 0;
          this.#phase = 'idle';
        }
        return value;
      }
    } catch (error) {
      this.#cancel();
      throw call.end(error);
    }
  }

  async #wait(): ReturnType<Source['next']> {
    const started = Date.now();
    const stop = this.#call.startTimer(this.#phase, this.#waitedMilliseconds);
    let onFailure: ((failure: SpeechError) => void) | undefined;
    try {
      return await new Promise((resolve, reject) => {
        onFailure = reject;
        this.#waiting.add(reject);
        this.#source?.next().then(resolve, reject);
      });
    } finally {
      stop();
      if (onFailure) this.#waiting.delete(onFailure);
      this.#waitedMilliseconds += Date.now() - started;
    }
  }

  /** Rejects the pending read at once, whatever the source does. */
  stop(failure: SpeechError): void {
    for (const reject of this.#waiting) reject(failure);
    this.#cancel();
  }

  /** Stops reading the body, which ends the call. */
  leave(): void {
    this.#cancel();
    this.#call.abandon();
  }

  #cancel(): void {
    if (this.#source) this.#source.cancel();
    else cancelBody(this.#response);
  }
}

/** An error's body is read up to so many bytes. */
const maximumErrorBytes = 64 * 1024;

/** The beginning of a body as text. It is incomplete if it broke off, is long or takes too long. */
export async function readBeginning(
  body: unknown,
  milliseconds: number,
): Promise<{ readonly text: string; readonly isComplete: boolean }> {
  const decoder = new TextDecoder();
  const source = sourceOf(body);
  let text = '';
  let length = 0;
  let isComplete = true;
  const stop = (): void => {
    isComplete = false;
    source.cancel();
  };
  const stopTimer = after(milliseconds, stop);
  try {
    for (;;) {
      const { done, value } = await source.next();
      if (done) break;
      text += decoder.decode(value, { stream: true });
      length += value.length;
      if (length >= maximumErrorBytes) stop();
    }
  } catch {
    isComplete = false;
  } finally {
    stopTimer();
  }
  return { text, isComplete };
}

/** Limit on how much of a body is held in memory. */
export interface HoldOptions {
  /** A longer body is an error, and its connection is closed. @defaultValue 1073741824 (1 GiB) */
  readonly maximumBytes?: number;
}

/** All pieces in one array; more than `maximumBytes` is an error. */
export async function collect(
  call: Watch,
  pieces: AsyncIterable<Uint8Array>,
  { maximumBytes = 2 ** 30 }: HoldOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  if (!(maximumBytes > 0)) {
    throw new RequestError('maximumBytes must be a number above 0', { field: 'maximumBytes' });
  }
  const buffered: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    buffered.push(piece);
    length += piece.length;
    if (length > maximumBytes) throw call.protocolError(`the answer is larger than ${maximumBytes} bytes`);
  }
  const joined = new Uint8Array(length);
  let position = 0;
  for (const piece of buffered) {
    joined.set(piece, position);
    position += piece.length;
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
  let hasLeft = false;
  const end = { done: true, value: undefined } as const;
  return {
    async next() {
      if (hasLeft) return end;
      try {
        const value = await read();
        if (value !== undefined && !hasLeft) return { done: false, value };
        hasLeft = true;
        return end;
      } catch (error) {
        if (hasLeft) return end;
        throw error;
      }
    },
    async return() {
      hasLeft = true;
      leave();
      return end;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
