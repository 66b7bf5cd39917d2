import type { IncomingMessage } from 'node:http';
import type { OperationId } from '@speech-api/types';
import type { Headers } from '../exchange.ts';
import { headersOf, inMebibytes, piecesOfSide } from '../transport/send-call.ts';
import type { PassEnd, Side, Watcher } from './pass.ts';

/** Limits on how much traffic is kept until it is judged. The traffic itself is never limited. */
export interface CopyLimits {
  /** Bytes of one request, and of one answer; of a socket, those of each side. @defaultValue 67108864 (64 MiB) */
  readonly bodyBytes: number;
  /** Bytes of all copies that are not judged yet. @defaultValue 268435456 (256 MiB) */
  readonly allBytes: number;
  /** Seconds from the first byte of a request to the last of its answer. @defaultValue 900 */
  readonly seconds: number;
}

export const defaultLimits: CopyLimits = {
  bodyBytes: 64 * 1024 * 1024,
  allBytes: 256 * 1024 * 1024,
  seconds: 900,
};

/** A call before anything of it has passed. */
export interface Call {
  readonly name: string;
  readonly operationId: OperationId;
  readonly method: string;
  /** At the server. */
  readonly url: string;
  readonly headers: Headers;
}

/** One call exactly as it passed: bodies stay compressed, and a socket stays in frames. */
export interface Copy extends Call {
  readonly answer?: { readonly status: number; readonly headers: Headers; readonly httpVersion: string };
  /** In the order in which they came. */
  readonly pieces: readonly { readonly from: Side; readonly bytes: Uint8Array }[];
  readonly isComplete: boolean;
  /** The answer was too large to keep. */
  readonly isAnswerLost: boolean;
  /** Share of {@link CopyLimits.allBytes} that the copy takes until it is judged. */
  readonly bytes: number;
}

/** The memory for all copies, and the way to the judge. */
export interface Keeper {
  readonly limits: CopyLimits;
  /** Bytes that all copies take now. */
  bytes: number;
  /** Called once for each call. Without a copy nothing of it is judged. */
  done(record: CallRecord, copy: Copy | undefined, notJudged: readonly string[]): void;
}

/** Copies one call while it passes. Nothing waits for it. */
export class CallRecord implements Watcher {
  readonly call: Call;
  readonly #keeper: Keeper;
  readonly #startedAt = performance.now();
  readonly #sides = { client: { bytes: 0, pieces: 0 }, server: { bytes: 0, pieces: 0 } };
  readonly #lost = new Map<Side, string>();
  #pieces: Copy['pieces'][number][] = [];
  #answer: IncomingMessage | undefined;
  #isOver = false;

  constructor(call: Call, keeper: Keeper) {
    this.call = call;
    this.#keeper = keeper;
  }

  answered(answer: IncomingMessage): void {
    this.#answer = answer;
  }

  passed(from: Side, bytes: Buffer): void {
    if (this.#isOver || this.#lost.has(from)) return;
    const why = this.#whyLost(from, bytes.length);
    if (why !== undefined) {
      this.#lost.set(from, why);
      this.#pieces = this.#pieces.filter((piece) => piece.from !== from);
      this.#keeper.bytes -= this.#sides[from].bytes;
      this.#sides[from].bytes = 0;
      return;
    }
    this.#sides[from].bytes += bytes.length;
    this.#sides[from].pieces += 1;
    this.#keeper.bytes += bytes.length;
    // The bytes themselves are on their way to the other side.
    this.#pieces.push({ from, bytes: new Uint8Array(bytes) });
  }

  #whyLost(from: Side, length: number): string | undefined {
    const { limits, bytes } = this.#keeper;
    const { bodyBytes, allBytes, seconds } = limits;
    const side = this.#sides[from];
    if (side.bytes + length > bodyBytes) return `is larger than ${inMebibytes(bodyBytes)}`;
    if (side.pieces >= piecesOfSide) return `is in more than ${piecesOfSide} pieces`;
    if (bytes + length > allBytes)
      return `is larger than what was left of ${inMebibytes(allBytes)} for all copies`;
    const isLate = performance.now() - this.#startedAt > seconds * 1000;
    return isLate ? `is longer than ${seconds} seconds` : undefined;
  }

  ended(how: PassEnd, failure?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { statusCode: status = 0, httpVersion = '' } = this.#answer ?? {};
    const isSocket = status === 101;
    const bytes = this.#sides.client.bytes + this.#sides.server.bytes;
    const names = isSocket
      ? { client: "the client's side", server: "the server's side" }
      : { client: 'the request', server: 'the answer' };
    const notJudged = [...this.#lost].map(([side, why]) => `${names[side]} ${why}`);
    // One side of a session alone says nothing.
    if (how === 'abandoned' || (isSocket && notJudged.length > 0)) {
      this.#keeper.bytes -= bytes;
      const left = 'the client left before the answer was whole';
      this.#keeper.done(this, undefined, how === 'abandoned' ? [left] : notJudged);
      return;
    }
    const copy = {
      ...this.call,
      ...(failure !== undefined && { name: `${this.call.name} (${failure})` }),
      ...(this.#answer && { answer: { status, headers: headersOf(this.#answer), httpVersion } }),
      pieces: this.#pieces,
      isComplete: how === 'complete',
      isAnswerLost: this.#lost.has('server'),
      bytes,
    };
    this.#keeper.done(this, copy, notJudged);
  }
}
