import { decode as decodeValue } from '@msgpack/msgpack';
import { checkStructure } from './check-structure.ts';
import { MessagePackError } from './errors.ts';

/** Limits against hostile bytes. Every default is finite. */
export interface DecodeLimits {
  /** Bytes of the whole message. @defaultValue 67108864 (64 MiB) */
  readonly maximumBytes?: number;
  /** Levels of arrays and maps. @defaultValue 64 */
  readonly maximumDepth?: number;
  /** Bytes of one string in UTF-8. @defaultValue 16777216 (16 MiB) */
  readonly maximumStringBytes?: number;
  /** Bytes of one binary or extension. @defaultValue 67108864 (64 MiB) */
  readonly maximumBinaryBytes?: number;
  /** Elements of one array. @defaultValue 1000000 */
  readonly maximumArrayLength?: number;
  /** Entries of one map. @defaultValue 100000 */
  readonly maximumMapLength?: number;
}

/** The defaults of {@link DecodeLimits}. */
export const defaultDecodeLimits: Required<DecodeLimits> = {
  maximumBytes: 64 * 1024 * 1024,
  maximumDepth: 64,
  maximumStringBytes: 16 * 1024 * 1024,
  maximumBinaryBytes: 64 * 1024 * 1024,
  maximumArrayLength: 1_000_000,
  maximumMapLength: 100_000,
};

/**
 * Decodes one MessagePack value. Binaries are views into `bytes`, integers beyond 2^53 lose precision, timestamps
 * become `Date`.
 *
 * Lengths are checked against the bytes that are really there before anything is allocated, so a few bytes can not
 * claim a large array.
 *
 * @throws MessagePackError `too-large`, `too-deep`, `truncated`, `trailing-bytes` or `malformed`.
 */
export function decode(bytes: Uint8Array | ArrayBuffer, limits: DecodeLimits = {}): unknown {
  const message = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
  checkStructure(message, { ...defaultDecodeLimits, ...limits });
  try {
    return decodeValue(message);
  } catch (cause) {
    const reason = cause instanceof Error ? `: ${cause.message}` : '';
    throw new MessagePackError(`The bytes are not a usable MessagePack value${reason}`, {
      kind: 'malformed',
      cause,
    });
  }
}
