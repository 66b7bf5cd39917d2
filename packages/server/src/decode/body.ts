import type { Readable } from 'node:stream';
import { MIMEType } from 'node:util';
import { Refusal } from '../refuse/refusal.ts';
import { DecodeFailure, malformed } from './failure.ts';
import { decodeMultipart, decodeUrlEncoded, type FormEntry } from './form.ts';
import { decodeJson } from './json.ts';
import { decodeMessagePack } from './msgpack.ts';

/** A decoded body, and how it was written: a form has entries until a schema gives them their types. */
export type DecodedBody =
  | { readonly encoding: 'json' | 'msgpack'; readonly value: unknown }
  | { readonly encoding: 'form'; readonly entries: readonly FormEntry[] };

/**
 * Decodes the bytes of a body by its media type.
 *
 * @param mediaType one that `chooseMediaType` found acceptable
 * @param contentType the whole header, for its boundary
 * @throws {@link DecodeFailure}
 */
export async function decodeBody(
  bytes: Uint8Array,
  mediaType: string,
  contentType: string,
): Promise<DecodedBody> {
  switch (mediaType) {
    case 'application/json':
      return { encoding: 'json', value: decodeJson(bytes) };
    case 'application/msgpack':
      return { encoding: 'msgpack', value: decodeMessagePack(bytes) };
    case 'multipart/form-data':
      return { encoding: 'form', entries: await decodeMultipart(bytes, contentType) };
    case 'application/x-www-form-urlencoded':
      return { encoding: 'form', entries: decodeUrlEncoded(readAscii(bytes)) };
    default:
      throw new Error(`No decoder for the media type ${mediaType} that the document names.`);
  }
}

function readAscii(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (/[^\x20-\x7e]/.test(text)) {
    throw malformed(
      'urlencoded_invalid',
      'The body cannot be read as a form: it holds bytes that must be percent-encoded.',
    );
  }
  return text;
}

/**
 * Finds the media type of an operation that the `Content-Type` of a request names.
 *
 * @param header the header as it came; parameters such as the boundary are ignored, but a charset other than
 * UTF-8 and a content coding are not
 * @throws {@link DecodeFailure} naming the media types that are accepted
 */
export function chooseMediaType<Accepted extends string>(
  header: string | undefined,
  accepted: readonly Accepted[],
  contentEncoding = 'identity',
): Accepted {
  const wanted = accepted.join(' or ');
  const unsupported = (message: string) => new DecodeFailure('media-type', { type: 'media_type', message });
  if (contentEncoding.toLowerCase() !== 'identity') {
    throw unsupported(`\`Content-Encoding: ${contentEncoding}\` is not accepted; send the body as it is.`);
  }
  if (header === undefined) throw unsupported(`The request has no \`Content-Type\`; send ${wanted}.`);
  let parsed: MIMEType;
  try {
    parsed = new MIMEType(header);
  } catch {
    throw unsupported(`\`Content-Type: ${header}\` is not a media type; send ${wanted}.`);
  }
  const found = accepted.find((each) => each === parsed.essence);
  if (found === undefined) {
    throw unsupported(`\`Content-Type: ${parsed.essence}\` is not accepted here; send ${wanted}.`);
  }
  const charset = parsed.params.get('charset')?.toLowerCase() ?? 'utf-8';
  if (charset === 'utf-8' || charset === 'utf8') return found;
  throw unsupported(`The charset ${charset} is not accepted; send UTF-8.`);
}

/** The part of a request that {@link readBody} needs, such as an `IncomingMessage`. */
export type BodySource = Readable & { readonly headers: { readonly 'content-length'?: string | undefined } };

/** Looks at each piece of a body as it comes. @throws Refusal */
export type BodyWatch = (chunk: Uint8Array) => void | Promise<void>;

/** Bytes from which a body is kept in memory of its own, which goes back to the system as a whole. */
const ownMemoryBytes = 65_536;

/**
 * Reads a whole body, and stops at the first byte beyond the limit: a body that declares its length is refused
 * before any of it is read, one that doesn't while it arrives. The source is left paused and undestroyed, so
 * that the refusal can still be sent over the same connection.
 *
 * @param limit in bytes, inclusive
 * @throws {@link DecodeFailure} when it is too large, or when the sender went away before its end
 * @throws Refusal of `watch`
 */
export async function readBody(
  source: BodySource,
  limit: number,
  watch?: BodyWatch,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(source.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  // If a large body stayed in thousands of small pieces, the allocator would keep its memory.
  let memory: ArrayBuffer | undefined;
  let bytes = 0;
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      const start = bytes;
      bytes += chunk.length;
      if (bytes > limit) throw tooLarge(limit);
      await watch?.(chunk);
      if (memory === undefined && bytes <= ownMemoryBytes) chunks.push(chunk);
      else {
        memory ??= moved(chunks.splice(0), limit);
        memory.resize(bytes);
        new Uint8Array(memory, start).set(chunk);
        free(chunk);
      }
    }
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    const message = `The connection closed after ${bytes} bytes of the body.`;
    throw new DecodeFailure('malformed-body', { type: 'body_cut', message, cause });
  }
  return memory === undefined ? Buffer.concat(chunks) : new Uint8Array(memory, 0, bytes);
}

/** The pieces joined, in memory that can grow up to the limit. */
function moved(chunks: readonly Uint8Array[], limit: number): ArrayBuffer {
  const joined = Buffer.concat(chunks);
  const memory = new ArrayBuffer(joined.length, { maxByteLength: limit });
  new Uint8Array(memory).set(joined);
  return memory;
}

/** At once: the collector sees a few small objects, and leaves the megabytes behind them until it has a reason to run. */
function free(chunk: Uint8Array): void {
  if (chunk.buffer instanceof ArrayBuffer && chunk.buffer.byteLength === chunk.length)
    chunk.buffer.transfer(0);
}

function tooLarge(limit: number): DecodeFailure {
  const message = `The body is larger than ${limit} bytes.`;
  return new DecodeFailure('body-too-large', { type: 'body_too_large', message });
}
