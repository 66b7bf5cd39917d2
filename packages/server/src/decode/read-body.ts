import type { Readable } from 'node:stream';
import { DecodeFailure } from './failure.ts';

/** What {@link readBody} needs of a request: `IncomingMessage` is one. */
export type BodySource = Readable & { readonly headers: { readonly 'content-length'?: string | undefined } };

/**
 * Reads a whole body, and stops at the first byte beyond the limit: a body that declares its length is refused
 * before any of it is read, one that doesn't while it arrives. The source is left paused and undestroyed, so
 * that the refusal can still be sent over the same connection.
 *
 * @param limit in bytes, inclusive
 * @throws {@link DecodeFailure} when it is too large, or when the sender went away before its end
 */
export function readBody(source: BodySource, limit: number): Promise<Uint8Array> {
  if (Number(source.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const finish = (settle: () => void): void => {
      source.off('data', onData);
      source.off('end', onEnd);
      source.off('error', onBroken);
      source.off('close', onBroken);
      settle();
    };
    const onData = (chunk: Buffer): void => {
      received += chunk.length;
      if (received > limit) {
        source.pause();
        finish(() => reject(tooLarge(limit)));
      } else chunks.push(chunk);
    };
    const onEnd = (): void => finish(() => resolve(joined(chunks)));
    const onBroken = (): void => {
      const message = `The connection closed after ${received} bytes of the body.`;
      finish(() => reject(new DecodeFailure({ refusal: 'malformed-body', type: 'body_cut', message })));
    };
    source.on('data', onData);
    source.on('end', onEnd);
    source.on('error', onBroken);
    source.on('close', onBroken);
  });
}

function joined(chunks: readonly Buffer[]): Uint8Array {
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks);
}

function tooLarge(limit: number): DecodeFailure {
  return new DecodeFailure({
    refusal: 'body-too-large',
    type: 'body_too_large',
    message: `The body is larger than ${limit} bytes.`,
    context: `at most ${limit} bytes`,
  });
}
