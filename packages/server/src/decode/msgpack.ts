import { decode } from '@msgpack/msgpack';
import { describePath, malformed } from './failure.ts';
import { type DecodeLimits, defaultDecodeLimits } from './limits.ts';
import { scanMessagePack } from './scan-msgpack.ts';

/**
 * Decodes a MessagePack body exactly as it was written. Binary values are views into `bytes`, not copies.
 *
 * Refused: truncated or trailing bytes, names that are not strings or given twice, extension types, invalid
 * UTF-8, too deep a nesting, too many values.
 *
 * @throws {@link DecodeFailure} with the field and the byte offset
 */
export function decodeMessagePack(bytes: Uint8Array, limits: DecodeLimits = defaultDecodeLimits): unknown {
  if (bytes.length === 0) {
    throw malformed('msgpack_invalid', 'The body is empty where a MessagePack map is expected.');
  }
  const problem = scanMessagePack(bytes, limits);
  if (problem) {
    const field = problem.path.length > 0 ? `, in \`${describePath(problem.path)}\`` : '';
    const place = `byte ${problem.position}`;
    throw malformed(
      'msgpack_invalid',
      `The body cannot be read as MessagePack: it ${problem.message} (${place}${field}).`,
      problem.path,
      place,
    );
  }
  try {
    // The scan has bounded everything already; these keep the library's own defaults (4 GiB) out of the way.
    return decode(bytes, {
      maxStrLength: bytes.length,
      maxBinLength: bytes.length,
      maxArrayLength: limits.values,
      maxMapLength: limits.values,
      maxExtLength: 0,
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw malformed('msgpack_invalid', `The body cannot be read as MessagePack: ${reason}.`);
  }
}
