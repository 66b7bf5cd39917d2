import type { IncomingMessage } from 'node:http';
import type { Headers } from '../exchange.ts';
import { headersOf } from '../transport/send-call.ts';
import type { PassEnd, Watcher } from './pass.ts';

/** How much of what passes is kept until it is judged. What passes is never limited. */
export interface CopyLimits {
  /** Bytes of one request, and of one answer; of a socket, those of each side. @defaultValue 67108864 (64 MiB) */
  readonly bodyBytes: number;
  /** Bytes of all copies that are not judged yet. @defaultValue 268435456 (256 MiB) */
  readonly allBytes: number;
  /** Seconds from the first byte of a request to the last of its answer. @defaultValue 900 */
  readonly seconds: number;
}

/** Pieces of one side: many small ones take more memory than their bytes. */
const piecesOfSide = 100_000;

/** One call as it passed by. */
export interface Copy {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly isUpgrade: boolean;
  /** Left out where no answer came. */
  readonly answer?: { readonly status: number; readonly headers: Headers; readonly httpVersion: string };
  /** Of both sides, in the order in which they passed. */
  readonly pieces: readonly Piece[];
  readonly ended: Exclude<PassEnd, 'abandoned'>;
  /** The pieces of these sides were too many to keep. */
  readonly lost: { readonly client: boolean; readonly server: boolean };
}

export interface Piece {
  readonly from: 'client' | 'server';
  /** Milliseconds after the request began. */
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

/** What becomes of a copy. */
export interface CopyEnd {
  /** To be judged; its `bytes` are given back once it is. */
  readonly copy?: Copy;
  readonly bytes: number;
  /** Why all of it or a part of it is not judged. */
  readonly notJudged: readonly string[];
}

/** All copies that are kept at one time. */
export class CopyStore {
  readonly #limits: CopyLimits;
  #bytes = 0;

  constructor(limits: CopyLimits) {
    this.#limits = limits;
  }

  /** Bytes that are kept now. */
  get bytes(): number {
    return this.#bytes;
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes;
  }

  /**
   * Begins to copy one call.
   *
   * @param explain what a failure to reach the server is called
   */
  watch(
    call: Pick<Copy, 'name' | 'url' | 'isUpgrade'> & { readonly incoming: IncomingMessage },
    explain: (failure: Error) => string,
    done: (end: CopyEnd) => void,
  ): Watcher {
    const { incoming, isUpgrade, url } = call;
    const { bodyBytes, allBytes, seconds } = this.#limits;
    const startedAt = performance.now();
    const now = () => Math.round(performance.now() - startedAt);
    const sides = { client: { bytes: 0, pieces: 0 }, server: { bytes: 0, pieces: 0 } };
    const notJudged = new Map<Piece['from'], string>();
    let pieces: Piece[] = [];
    let answer: Copy['answer'];
    let isOver = false;

    const lose = (from: Piece['from'], why: string) => {
      notJudged.set(from, why);
      pieces = pieces.filter((piece) => piece.from !== from);
      this.#bytes -= sides[from].bytes;
      sides[from].bytes = 0;
    };
    const keep = (from: Piece['from'], bytes: Buffer) => {
      if (isOver || notJudged.has(from)) return;
      const side = sides[from];
      if (side.bytes + bytes.length > bodyBytes) return lose(from, `larger than ${inMebibytes(bodyBytes)}`);
      if (side.pieces >= piecesOfSide) return lose(from, `in more than ${piecesOfSide} pieces`);
      if (this.#bytes + bytes.length > allBytes)
        return lose(from, `larger than what was left of ${inMebibytes(allBytes)} for all copies`);
      if (now() > seconds * 1000) return lose(from, `longer than ${seconds} seconds`);
      side.bytes += bytes.length;
      side.pieces += 1;
      this.#bytes += bytes.length;
      // The bytes themselves are on their way to the other side.
      pieces.push({ from, atMs: now(), bytes: new Uint8Array(bytes) });
    };

    return {
      fromClient: (bytes) => keep('client', bytes),
      fromServer: (bytes) => keep('server', bytes),
      answered: (message) => {
        answer = {
          status: message.statusCode ?? 0,
          headers: headersOf(message),
          httpVersion: message.httpVersion,
        };
      },
      ended: (how, failure) => {
        if (isOver) return;
        isOver = true;
        const bytes = sides.client.bytes + sides.server.bytes;
        if (how === 'abandoned') {
          this.#bytes -= bytes;
          done({ bytes: 0, notJudged: ['the client left before the answer was whole'] });
          return;
        }
        const reason = failure === undefined ? '' : ` (${explain(failure)})`;
        const copy: Copy = {
          name: call.name + reason,
          method: incoming.method ?? 'GET',
          url,
          headers: headersOf(incoming),
          isUpgrade,
          ...(answer !== undefined && { answer }),
          pieces,
          ended: how,
          lost: { client: notJudged.has('client'), server: notJudged.has('server') },
        };
        pieces = [];
        done({ copy, bytes, notJudged: [...notJudged].map(([from, why]) => `${whose(from)} is ${why}`) });
      },
    };

    function whose(from: Piece['from']): string {
      if (answer?.status === 101) return from === 'client' ? "the client's side" : "the server's side";
      return from === 'client' ? 'the request' : 'the answer';
    }
  }
}

function inMebibytes(bytes: number): string {
  return bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${bytes} bytes`;
}
