import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { mediaTypes } from '@speech-api/types';

/** Sends a whole answer as JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { ...headers, 'content-type': mediaTypes.json, 'content-length': bytes.length });
  response.end(bytes);
}

/** Answers that it is done: 200 with an empty body (section 4.4, the choice for its blanks). */
export function sendNothing(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 0 });
  response.end();
}

/** How pieces become an answer. */
export interface StreamOptions<Piece> {
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly encode: (piece: Piece) => Uint8Array;
  readonly signal: AbortSignal;
}

/**
 * Sends pieces as they are made, and asks for the next one only when the connection has taken the last: a slow reader
 * slows the maker down instead of filling memory.
 *
 * A failure before the first piece is thrown, so that it can still become an error answer. After that the status is
 * out, and the connection is cut: the reader sees a broken body, never one that seems to have ended well.
 *
 * @throws whatever the maker throws, before or after the first piece
 */
export async function sendStream<Piece>(
  response: ServerResponse,
  pieces: AsyncIterable<Piece>,
  options: StreamOptions<Piece>,
): Promise<void> {
  const { encode, signal } = options;
  let written: Promise<unknown> = Promise.resolve();
  try {
    for await (const piece of pieces) {
      const bytes = encode(piece);
      if (bytes.length === 0) continue;
      if (!response.headersSent) {
        response.writeHead(200, { ...options.headers, 'content-type': options.contentType });
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      written = promise;
      if (!response.write(bytes, () => resolve())) await once(response, 'drain', { signal });
    }
    // The source may end without an error when it is aborted: what it has made is not a complete answer.
    signal.throwIfAborted();
  } catch (error) {
    if (response.headersSent) {
      // What was made before the failure still belongs to the reader.
      if (!signal.aborted) await Promise.race([written, once(response, 'close')]);
      response.destroy();
    }
    throw error;
  }
  response.end();
}
