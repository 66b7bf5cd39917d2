import { kindOf } from '../encode.ts';
import { AbortError } from '../errors.ts';
import type { Call } from './call.ts';

// The most of an error's body that is read, in bytes and in milliseconds; a page of HTML says no more after that.
const maximumErrorBytes = 64 * 1024;
const errorBodyTime = 5000;

const opened = new WeakMap<Response, AnswerBody>();

/** The body of an answer, the same one whenever it is asked for. */
export function openBody(call: Call, response: Response): AnswerBody {
  const found = opened.get(response) ?? new AnswerBody(call, response);
  opened.set(response, found);
  return found;
}

/**
 * The body of an answer, read once, each piece within its deadline. Its end ends the call, and so do an error, leaving
 * it and, as a net, that nobody can reach it any more.
 */
export class AnswerBody implements AsyncIterableIterator<Uint8Array> {
  /** Which pieces keep the call alive. */
  isAlive: ((piece: Uint8Array) => boolean) | undefined;
  /** Looks at each piece before it is given out. */
  check: ((piece: Uint8Array) => void) | undefined;
  /** Looks at a body that came to its end. */
  checkEnd: (() => Promise<void> | undefined) | undefined;

  readonly #call: Call;
  readonly #response: Response;
  readonly #native: ReadableStream<Uint8Array> | null;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #phase: 'firstByte' | 'idle' = 'firstByte';
  #waited = 0;
  #reads = 0;
  #stream: ReadableStream<Uint8Array> | undefined;
  #arrival: Promise<boolean> | undefined;
  #said = '';
  #left = false;

  constructor(call: Call, response: Response) {
    this.#call = call;
    this.#response = response;
    this.#native = response.body ?? null;
    // Nothing to wait for: the answer ends with its headers.
    if (this.#native === null) call.finish();
    else call.transport.forgotten.register(this, call, call);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, void>> {
    for (;;) {
      if (this.#left) return { done: true, value: undefined };
      const { done, value } = await this.#read();
      if (done || this.#left) {
        this.#call.finish();
        const isWhole = !this.#left;
        this.#left = true;
        if (isWhole) await this.checkEnd?.();
        return { done: true, value: undefined };
      }
      // Not "instanceof": where tests have a realm of their own, the bytes are of another.
      if (kindOf(value) !== 'Uint8Array')
        throw this.#call.protocolError('the body holds no bytes', this.#response);
      if (value.length === 0) continue;
      if (this.isAlive?.(value) !== false) {
        this.#waited = 0;
        this.#phase = 'idle';
      }
      this.check?.(value);
      return { done: false, value };
    }
  }

  /** Leaves the body: a pending read ends at once, as if this were the end. */
  async return(): Promise<IteratorResult<Uint8Array, void>> {
    this.#left = true;
    this.#cancelReader();
    this.#call.abandon();
    return { done: true, value: undefined };
  }

  /** Leaves the body; a pending read rejects at once, with an `AbortError`. */
  cancel(): void {
    this.#call.fail(new AbortError('cancel() was called'));
    this.#cancelReader();
  }

  /** The body as a web stream, always the same one. */
  get stream(): ReadableStream<Uint8Array> {
    this.#stream ??= streamOf(() => this);
    return this.#stream;
  }

  /** Throws the body away and goes on with the call. */
  drop(): void {
    this.#cancelReader();
    this.#call.transport.forgotten.unregister(this.#call);
  }

  /** What can be read of an error's body: the status matters more than how the body ended. Without the key. */
  async errorText(): Promise<string> {
    const complete = await this.arrives();
    if (complete) this.#call.finish();
    else this.#call.abandon();
    return this.#said;
  }

  /** Reads an error's body, and says whether it came to its end in good time and size. */
  arrives(): Promise<boolean> {
    this.#arrival ??= this.#readError();
    return this.#arrival;
  }

  async #readError(): Promise<boolean> {
    const decoder = new TextDecoder();
    let said = '';
    let complete = true;
    const stop = (): void => {
      complete = false;
      this.#cancelReader();
    };
    const deadline = setTimeout(stop, Math.min(errorBodyTime, this.#call.timeouts.idle));
    try {
      for (let length = 0; ; ) {
        const { done, value } = await this.#read();
        if (done) break;
        said += decoder.decode(value, { stream: true });
        length += value.length;
        if (length >= maximumErrorBytes) stop();
      }
    } catch (error) {
      if (AbortError.isInstance(error)) throw error;
      complete = false;
    } finally {
      clearTimeout(deadline);
    }
    this.#said = this.#call.transport.settings.redact(said);
    return complete;
  }

  async #read(): Promise<ReadableStreamReadResult<Uint8Array>> {
    const call = this.#call;
    try {
      this.#reader ??= this.#native?.getReader();
    } catch (cause) {
      throw call.protocolError('the body of the answer was read elsewhere', this.#response, cause);
    }
    const reader = this.#reader;
    if (!reader) return { done: true, value: undefined };
    if (call.failure) throw call.failure;
    // Not a race with the failure: a stream that is cancelled ends its reads at once, whatever its source does.
    call.interrupt = this.#cancelReader;
    this.#reads += 1;
    const started = Date.now();
    const timer = call.startTimer(this.#phase, call.timeouts[this.#phase] - this.#waited);
    try {
      const read = await reader.read();
      if (call.failure) throw call.failure;
      return read;
    } catch (error) {
      throw call.failure ?? call.end(error);
    } finally {
      clearTimeout(timer);
      this.#waited += Date.now() - started;
      this.#reads -= 1;
      if (this.#reads === 0) call.interrupt = undefined;
    }
  }

  readonly #cancelReader = (): void => {
    // Rejects if the body has failed already, which does not matter here.
    (this.#reader ?? this.#native)?.cancel().catch(() => undefined);
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

// Made once for all answers, because each call has one.
const readers: PropertyDescriptorMap = {
  body: {
    configurable: true,
    get(this: Response) {
      return this.status === 204 ? null : opened.get(this)?.stream;
    },
  },
};
for (const name of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const) {
  readers[name] = {
    configurable: true,
    value(this: Response) {
      if (name === 'text' && !this.ok) return opened.get(this)?.errorText();
      const headers = { 'content-type': this.headers.get('content-type') ?? '' };
      return new Response(this.body, { headers })[name]();
    },
  };
}

// By the prototype that an answer comes with: defining each reader on each answer takes longer than making the answer.
const prototypes = new WeakMap<object, object>();

/** The service's own answer, whose open body is read through the call whichever way it is read. */
export function readThrough(response: Response): Response {
  // What a double has of its own would hide the readers of a prototype.
  if (Object.getOwnPropertyNames(response).length > 0) return Object.defineProperties(response, readers);
  const native = Object.getPrototypeOf(response);
  let ours = prototypes.get(native);
  if (ours === undefined) {
    ours = Object.create(native, readers) as object;
    prototypes.set(native, ours).set(ours, ours);
  }
  return Object.setPrototypeOf(response, ours);
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
