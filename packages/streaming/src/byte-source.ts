import { SpeechStreamError } from './errors.ts';

/** A body: what `Response.body` is, or any async iterable of bytes. */
export type SpeechStreamBody = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** One reader over a body. Nothing is read before `read` asks for it. */
export interface ByteSource {
  /** The next bytes, or undefined at the end. */
  read(): Promise<Uint8Array | undefined>;
  /** Releases the body; what it would still bring is lost. */
  cancel(): void;
}

const claimed = /* @__PURE__ */ new WeakSet<object>();

/** @throws SpeechStreamError `already-read` when the body has, or had, a reader. */
export function openByteSource(body: SpeechStreamBody): ByteSource {
  const isStream = 'getReader' in body;
  if (claimed.has(body) || (isStream && body.locked)) {
    throw new SpeechStreamError(
      'This stream already has a reader. Read it once and share what it gives, for example its timeline.',
      { kind: 'already-read' },
    );
  }
  claimed.add(body);
  return isStream ? streamSource(body) : iterableSource(body);
}

function streamSource(body: ReadableStream<Uint8Array>): ByteSource {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return {
    async read() {
      reader ??= body.getReader();
      const { value, done } = await reader.read();
      return done ? undefined : value;
    },
    cancel() {
      // Not awaited: a source that never finishes cancelling must not hold the loop that was left.
      (reader ?? body).cancel().catch(ignore);
    },
  };
}

function iterableSource(body: AsyncIterable<Uint8Array>): ByteSource {
  let iterator: AsyncIterator<Uint8Array> | undefined;
  return {
    async read() {
      iterator ??= body[Symbol.asyncIterator]();
      const result = await iterator.next();
      return result.done === true ? undefined : result.value;
    },
    cancel() {
      iterator ??= body[Symbol.asyncIterator]();
      iterator.return?.().then(ignore, ignore);
    },
  };
}

function ignore(): void {}
