import { malformed } from './failure.ts';
import type { FormEntry } from './form.ts';
import { decodeJson } from './json.ts';
import { type DecodeLimits, defaultDecodeLimits } from './limits.ts';
import { decodeMessagePack } from './msgpack.ts';
import { decodeMultipart } from './multipart.ts';
import { decodeUrlEncoded } from './urlencoded.ts';

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
  limits: DecodeLimits = defaultDecodeLimits,
): Promise<DecodedBody> {
  switch (mediaType) {
    case 'application/json':
      return { encoding: 'json', value: decodeJson(bytes, limits) };
    case 'application/msgpack':
      return { encoding: 'msgpack', value: decodeMessagePack(bytes, limits) };
    case 'multipart/form-data':
      return { encoding: 'form', entries: await decodeMultipart(bytes, contentType, limits) };
    case 'application/x-www-form-urlencoded':
      return { encoding: 'form', entries: decodeUrlEncoded(readAscii(bytes), limits) };
    default:
      throw new Error(`No decoder for the media type ${mediaType} that the document names.`);
  }
}

function readAscii(bytes: Uint8Array): string {
  if (bytes.some((byte) => byte > 0x7e || byte < 0x20)) {
    throw malformed(
      'urlencoded_invalid',
      'The body cannot be read as a form: it holds bytes that must be percent-encoded.',
    );
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
