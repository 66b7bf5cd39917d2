import type { DecodeLimits } from './decode.ts';
import { MessagePackError, type MessagePackErrorKind } from './errors.ts';

/**
 * Walks over a message without building anything: every length fits the bytes that follow, the nesting is shallow
 * enough, and nothing comes after the value.
 */
export function checkStructure(bytes: Uint8Array, limits: Required<DecodeLimits>): void {
  if (bytes.length > limits.maximumBytes)
    throw tooLarge('The message', bytes.length, 'bytes', limits.maximumBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Values still to come in each open container; a stack of our own, because the call stack is the attacker's aim.
  const open: number[] = [1];
  let position = 0;
  while (open.length > 0) {
    const top = open.length - 1;
    const remaining = open[top] ?? 0;
    if (remaining === 0) {
      open.pop();
      continue;
    }
    open[top] = remaining - 1;
    const item = readItem(view, position);
    position = item.end;
    if (position > bytes.length) throw truncated(bytes.length);
    checkItem(item, limits);
    if (item.container) {
      if (open.length > limits.maximumDepth) {
        throw refuse('too-deep', `The value is deeper than ${limits.maximumDepth} levels.`);
      }
      open.push(item.children);
    }
  }
  if (position < bytes.length) {
    throw refuse('trailing-bytes', `${bytes.length - position} bytes follow the value.`);
  }
}

type ItemKind = 'scalar' | 'string' | 'binary' | 'array' | 'map';

interface Item {
  readonly kind: ItemKind;
  /** Bytes, elements or entries. */
  readonly length: number;
  readonly container: boolean;
  /** Values inside that follow. */
  readonly children: number;
  /** Position after the item, the values inside a container not counted. */
  readonly end: number;
}

// Sizes of the numbers 0xca to 0xd3, their first byte included: floats, unsigned, signed.
const NUMBER_SIZES = [5, 9, 2, 3, 5, 9, 2, 3, 5, 9];

function readItem(view: DataView, position: number): Item {
  if (position >= view.byteLength) throw truncated(view.byteLength);
  const code = view.getUint8(position);
  if (code <= 0x7f || code >= 0xe0 || code === 0xc0 || code === 0xc2 || code === 0xc3)
    return scalar(position + 1);
  if (code <= 0x8f) return container('map', code & 15, position + 1);
  if (code <= 0x9f) return container('array', code & 15, position + 1);
  if (code <= 0xbf) return data('string', code & 31, position + 1);
  if (code === 0xc1) throw refuse('malformed', `Byte 0xc1 at ${position} means nothing in MessagePack.`);
  if (code <= 0xc6) return sized(view, position, 'binary', code - 0xc4, 0);
  if (code <= 0xc9) return sized(view, position, 'binary', code - 0xc7, 1);
  if (code <= 0xd3) return scalar(position + (NUMBER_SIZES[code - 0xca] ?? 1));
  if (code <= 0xd8) return data('binary', 1 << (code - 0xd4), position + 2);
  if (code <= 0xdb) return sized(view, position, 'string', code - 0xd9, 0);
  return sized(view, position, code <= 0xdd ? 'array' : 'map', ((code - 0xdc) & 1) + 1, 0);
}

/** @param width - Exponent of the bytes of the length: 0, 1 or 2. @param extra - Bytes between length and content. */
function sized(view: DataView, position: number, kind: ItemKind, width: number, extra: number): Item {
  const start = position + 1 + 2 ** width;
  if (start > view.byteLength) throw truncated(view.byteLength);
  const at = position + 1;
  const length = width === 0 ? view.getUint8(at) : width === 1 ? view.getUint16(at) : view.getUint32(at);
  if (kind === 'array' || kind === 'map') return container(kind, length, start);
  return data(kind, length, start + extra);
}

function scalar(end: number): Item {
  return { kind: 'scalar', length: 0, container: false, children: 0, end };
}

function data(kind: ItemKind, length: number, start: number): Item {
  return { kind, length, container: false, children: 0, end: start + length };
}

function container(kind: 'array' | 'map', length: number, end: number): Item {
  return { kind, length, container: true, children: kind === 'map' ? length * 2 : length, end };
}

function checkItem({ kind, length }: Item, limits: Required<DecodeLimits>): void {
  if (kind === 'string' && length > limits.maximumStringBytes) {
    throw tooLarge('A string', length, 'bytes', limits.maximumStringBytes);
  }
  if (kind === 'binary' && length > limits.maximumBinaryBytes) {
    throw tooLarge('A binary', length, 'bytes', limits.maximumBinaryBytes);
  }
  if (kind === 'array' && length > limits.maximumArrayLength) {
    throw tooLarge('An array', length, 'elements', limits.maximumArrayLength);
  }
  if (kind === 'map' && length > limits.maximumMapLength) {
    throw tooLarge('A map', length, 'entries', limits.maximumMapLength);
  }
}

function truncated(length: number): MessagePackError {
  return refuse('truncated', `The message ends inside a value, after ${length} bytes.`);
}

function tooLarge(what: string, found: number, unit: string, limit: number): MessagePackError {
  return refuse('too-large', `${what} has ${found} ${unit}; the limit is ${limit}.`);
}

function refuse(kind: MessagePackErrorKind, message: string): MessagePackError {
  return new MessagePackError(message, { kind });
}
