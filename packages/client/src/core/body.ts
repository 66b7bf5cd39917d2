import { type Body, joinPieces, leavable, Source } from '@speech-api/streaming/pieces';
import { RequestError, type SpeechError } from '../errors.ts';
import { startDeadline } from './timer.ts';

// Bodies of answers, each watched where it is read.

/** The call that a body belongs to. */
export interface Watch {
  readonly failure: SpeechError | undefined;
  /** The body, which a failure leaves while a read is pending. */
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
  const { body, status } = response as Response;
  if (!body || status === 204) return withBody(response, null);
  const source = new Source(body);
  return withBody(
    response,
    streamOf(
      () => source.next(),
      () => source.leave(),
    ),
  );
}

/** The answer with another body. What a `Response` refuses, such as a status above 599, is set afterwards. */
export function withBody(answer: Response, body: ReadableStream<Uint8Array> | string | null): Response {
  const init = { status: Math.min(answer.status, 599), headers: [...answer.headers] };
  const response = new Response(body, init as ResponseInit);
  for (const name of ['status', 'statusText', 'url', 'type'] as const)
    Object.defineProperty(response, name, { value: answer[name] });
  return response;
}

function streamOf(
  next: () => Promise<Uint8Array<ArrayBuffer> | undefined>,
  cancel: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const piece = await next();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
}

/** Closes the connection of an answer that nobody reads. */
export function cancelBody({ body }: Response): void {
  if (body && !body.locked) new Source(body).leave();
}

/** Checks the pieces of a body as any reader receives them. */
export interface Inspector {
  /** Throws for a wrong piece; false means that the piece does not keep the call alive. */
  piece(piece: Uint8Array): unknown;
  /** Throws at the end of a body that is not complete. */
  end?(): unknown;
}

/** Limit on how much of a body is held in memory. */
export interface HoldOptions {
  /** A longer body is an error, and its connection is closed. @defaultValue 1073741824 (1 GiB) */
  readonly maximumBytes?: number;
}

/**
 * The body of a success, which is read once: by its pieces, as a stream or through the `Response`. Each wait for a piece
 * has its deadline, and nothing is read ahead.
 */
export class BodyReader implements AsyncIterable<Uint8Array<ArrayBuffer>> {
  readonly #call: Watch;
  readonly #response: Response;
  readonly #inspector: Inspector | undefined;
  #source: Source | undefined;
  #stream: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;
  #sharedResponse: Response | undefined;
  #isTaken = false;
  #phase: 'firstByte' | 'idle' = 'firstByte';
  #waitedMilliseconds = 0;

  constructor(call: Watch, response: Response, inspector?: Inspector) {
    this.#call = call;
    this.#response = response;
    this.#inspector = inspector;
    call.reader = this;
  }

  /** Makes the caller the only one who reads. @throws `TypeError` when the body was read before */
  take(): void {
    if (this.#isTaken || this.#stream?.locked) throw new TypeError('the answer can be read only once');
    this.#isTaken = true;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array<ArrayBuffer>, void, undefined> {
    this.take();
    return leavable(this.#pieces(), () => this.leave());
  }

  async *#pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    for (let piece = await this.next(); piece; piece = await this.next()) yield piece;
  }

  /** The body as a stream. Looking at it takes nothing. */
  get stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    let isPulled = false;
    this.#stream ??= streamOf(
      async () => {
        if (this.#isTaken && !isPulled) throw new TypeError('the answer can be read only once');
        this.#isTaken = isPulled = true;
        return this.next();
      },
      () => this.leave(),
    );
    return this.#stream;
  }

  /** The answer, whose body is this one as long as it was not read: whoever reads it ends the call. */
  get response(): Response {
    const { body, bodyUsed } = this.#response;
    if (!this.#sharedResponse && (!body || bodyUsed || this.#isTaken)) return this.#response;
    this.#sharedResponse ??= withBody(this.#response, this.stream);
    return this.#sharedResponse;
  }

  /** The next piece for the one who reads, or undefined at the end of the body, which ends the call. */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const call = this.#call;
    try {
      for (;;) {
        if (call.failure) throw call.failure;
        this.#source ??= this.#open();
        const started = Date.now();
        const stop = call.startTimer(this.#phase, this.#waitedMilliseconds);
        const piece = await this.#source.next().finally(stop);
        this.#waitedMilliseconds += Date.now() - started;
        if (call.failure) throw call.failure;
        if (this.isLeft) return undefined;
        if (piece === undefined) {
          this.#inspector?.end?.();
          call.finish();
          return undefined;
        }
        if (piece.length === 0) continue;
        if (this.#inspector?.piece(piece) !== false) {
          this.#waitedMilliseconds = 0;
          this.#phase = 'idle';
        }
        return piece;
      }
    } catch (error) {
      this.leaveSource();
      throw call.end(error);
    }
  }

  /** The body is locked by the first read, not earlier: until then a middleware may clone it. */
  #open(): Source {
    const { body, bodyUsed, status } = this.#response;
    if (bodyUsed || body?.locked) throw this.#call.protocolError('the body of the answer was read elsewhere');
    if (body === undefined && status !== 204) {
      throw this.#call.protocolError(
        'the answer has no body to stream; pass a fetch with one, such as expo/fetch',
      );
    }
    return new Source(body ?? null);
  }

  /** True after the reader has left the body. */
  get isLeft(): boolean {
    return this.#source?.isLeft ?? false;
  }

  /** Stops reading the body, which ends the call. */
  leave(): void {
    this.#isTaken = true;
    this.leaveSource();
    this.#call.abandon();
  }

  /** Cancels the body. A pending read finishes at once. */
  leaveSource(): void {
    if (this.#source) this.#source.leave();
    else cancelBody(this.#response);
  }

  /** The whole body; more than `maximumBytes` is an error. */
  async bytes(options?: HoldOptions): Promise<Uint8Array<ArrayBuffer>> {
    const open = () => {
      this.take();
      return () => this.next();
    };
    return collect(this.#call, open, options);
  }
}

/**
 * The pieces of a body in one array. `open` takes the body, once the limit is checked, and gives the function that reads it.
 * More than `maximumBytes` is an error.
 */
export async function collect(
  call: Watch,
  open: () => () => Promise<Uint8Array | undefined>,
  { maximumBytes = 2 ** 30 }: HoldOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  if (!(maximumBytes > 0)) {
    throw new RequestError('maximumBytes must be a number above 0', { field: 'maximumBytes' });
  }
  const next = open();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let piece = await next(); piece; piece = await next()) {
    pieces.push(piece);
    length += piece.length;
    if (length > maximumBytes) throw call.protocolError(`the answer is larger than ${maximumBytes} bytes`);
  }
  return joinPieces(pieces);
}

/** The beginning of a body. It is incomplete if it broke off, is longer than `maximumBytes` or takes too long. */
export async function readBeginning(
  body: Body | null,
  milliseconds: number,
  maximumBytes: number,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly isComplete: boolean }> {
  const source = new Source(body ?? null);
  const stopTimer = startDeadline(milliseconds, () => source.leave());
  const pieces: Uint8Array[] = [];
  let length = 0;
  let isBroken = false;
  try {
    for (let piece = await source.next(); piece; piece = await source.next()) {
      pieces.push(piece);
      length += piece.length;
      if (length >= maximumBytes) source.leave();
    }
  } catch {
    isBroken = true;
  } finally {
    stopTimer();
  }
  return { bytes: joinPieces(pieces), isComplete: !isBroken && !source.isLeft };
}
