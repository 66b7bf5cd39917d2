import { isUtf8 } from 'node:buffer';
import { decode } from '@msgpack/msgpack';
import { type DecodeLimits, defaultDecodeLimits, describePath, malformed } from './failure.ts';

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
  const { problem, marked } = scanMessagePack(bytes, limits);
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
    const value = decode(bytes, {
      maxStrLength: bytes.length,
      maxBinLength: bytes.length,
      maxArrayLength: limits.values,
      maxMapLength: limits.values,
      maxExtLength: 0,
    });
    return marked.reduce(restore, value);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw malformed('msgpack_invalid', `The body cannot be read as MessagePack: ${reason}.`);
  }
}

/** Puts a string back as it was written: the library's decoder drops a leading U+FEFF as if it were a mark of the encoding. */
function restore(value: unknown, { path, text }: MarkedString): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return text;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value;
  const fields = value as Record<string, unknown>;
  fields[step] = restore(fields[step], { path: rest, text });
  return value;
}

/** A string that begins with U+FEFF. */
interface MarkedString {
  readonly path: readonly string[];
  readonly text: string;
}

/** A problem in a MessagePack body, with its position. */
export interface MessagePackProblem {
  readonly message: string;
  readonly path: readonly string[];
  /** Byte offset into the body. */
  readonly position: number;
}

interface MessagePackScan {
  /** The first problem; absent when the body is one sound value. */
  readonly problem?: MessagePackProblem;
  readonly marked: readonly MarkedString[];
}

interface Frame {
  readonly names: Set<string> | undefined;
  /** Values still to come; in a map a name and its value count as one. */
  remaining: number;
  name: string;
  index: number;
  awaitsName: boolean;
}

interface Head {
  readonly kind: 'value' | 'string' | 'binary' | 'array' | 'map' | 'extension' | 'unused';
  /** Bytes of the head itself: the type byte and the length field. */
  readonly size: number;
  /** Bytes that follow (value, string, binary, extension) or entries (array, map). */
  readonly length: number;
}

/**
 * Walks a MessagePack body without building anything, so that a declared length of four thousand million, a
 * nesting bomb or a truncated upload is refused before memory is spent on it, and with the field it happened in.
 */
function scanMessagePack(bytes: Uint8Array, limits: Pick<DecodeLimits, 'depth' | 'values'>): MessagePackScan {
  const marked: MarkedString[] = [];
  const problem = scanValues(bytes, limits, (string) => marked.push(string));
  return problem === undefined ? { marked } : { problem, marked };
}

function scanValues(
  bytes: Uint8Array,
  limits: Pick<DecodeLimits, 'depth' | 'values'>,
  onMark: (string: MarkedString) => void,
): MessagePackProblem | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Frame[] = [];
  let position = 0;
  let values = 0;

  const pathHere = (): string[] =>
    frames.filter((each) => !each.awaitsName).map((each) => (each.names ? each.name : String(each.index)));
  const problem = (message: string): MessagePackProblem => ({ message, path: pathHere(), position });

  for (;;) {
    const frame = frames.at(-1);
    const head = readHead(view, position);
    if (head === undefined) return problem('ends too early');
    // As in JSON, a name does not count as a value.
    if (frame === undefined || !frame.awaitsName) values += 1;
    if (values > limits.values) return problem(`holds more than ${limits.values} values`);
    if (head.kind === 'unused') return problem('has the unused type byte 0xc1');
    if (head.kind === 'extension') {
      return problem('holds an extension type; write binary as the bin type');
    }

    const nests = head.kind === 'array' || head.kind === 'map';
    const end = position + head.size + (nests ? 0 : head.length);
    if (end > bytes.length) {
      return problem(`ends after ${bytes.length} of at least ${end} bytes`);
    }
    if (head.kind === 'string' && !isUtf8Between(buffer, position + head.size, end)) {
      return problem('has a string that is not UTF-8');
    }

    if (frame?.names && frame.awaitsName) {
      if (head.kind !== 'string') return problem('has a name that is not a string');
      const name = buffer.toString('utf8', position + head.size, end);
      frame.name = name;
      frame.awaitsName = false;
      if (name === '__proto__') return problem('uses the name `__proto__`');
      if (frame.names.has(name)) return problem(`gives \`${name}\` twice`);
      frame.names.add(name);
      position = end;
      continue;
    }

    if (head.kind === 'string' && startsWithMark(buffer, position + head.size, end)) {
      onMark({ path: pathHere(), text: buffer.toString('utf8', position + head.size, end) });
    }
    if (nests) {
      if (head.length > limits.values) {
        return problem(`declares ${head.length} entries, more than ${limits.values}`);
      }
      if (frames.length >= limits.depth) return problem(`nests deeper than ${limits.depth} levels`);
      position = end;
      frames.push({
        names: head.kind === 'map' ? new Set() : undefined,
        remaining: head.length,
        name: '',
        index: 0,
        awaitsName: head.kind === 'map',
      });
      if (head.length > 0) continue;
      frames.pop();
    } else position = end;

    // A value is complete; so may be the containers around it.
    for (let open = frames.at(-1); open !== undefined; open = frames.at(-1)) {
      open.remaining -= 1;
      open.index += 1;
      open.awaitsName = open.names !== undefined;
      if (open.remaining > 0) break;
      frames.pop();
    }
    if (frames.length === 0) break;
  }
  return position < bytes.length
    ? problem(`goes on for ${bytes.length - position} bytes after its value`)
    : undefined;
}

/** Most names are short and plain: they are looked through here, without a view for each. */
function isUtf8Between(buffer: Buffer, start: number, end: number): boolean {
  if (end - start > 64) return isUtf8(buffer.subarray(start, end));
  for (let index = start; index < end; index += 1) {
    if ((buffer[index] ?? 0) > 0x7f) return isUtf8(buffer.subarray(start, end));
  }
  return true;
}

function startsWithMark(buffer: Buffer, start: number, end: number): boolean {
  return (
    end - start >= 3 && buffer[start] === 0xef && buffer[start + 1] === 0xbb && buffer[start + 2] === 0xbf
  );
}

/** The head of the value at `position`, or `undefined` when the body ends inside it. */
function readHead(view: DataView, position: number): Head | undefined {
  if (position >= view.byteLength) return undefined;
  const byte = view.getUint8(position);
  if (byte <= 0x7f || byte >= 0xe0) return { kind: 'value', size: 1, length: 0 };
  if (byte <= 0x8f) return { kind: 'map', size: 1, length: byte & 0x0f };
  if (byte <= 0x9f) return { kind: 'array', size: 1, length: byte & 0x0f };
  if (byte <= 0xbf) return { kind: 'string', size: 1, length: byte & 0x1f };
  const rule = heads[byte - 0xc0];
  if (rule === undefined) return undefined;
  const [kind, lengthBytes, fixed] = rule;
  const size = 1 + lengthBytes;
  if (position + size > view.byteLength) return undefined;
  const length =
    lengthBytes === 0
      ? 0
      : lengthBytes === 1
        ? view.getUint8(position + 1)
        : lengthBytes === 2
          ? view.getUint16(position + 1)
          : view.getUint32(position + 1);
  return { kind, size, length: length + fixed };
}

/** Types 0xc0 to 0xdf: kind, bytes of the length field, bytes that always follow. */
const heads: readonly (readonly [Head['kind'], number, number])[] = [
  ['value', 0, 0], // nil
  ['unused', 0, 0],
  ['value', 0, 0], // false
  ['value', 0, 0], // true
  ['binary', 1, 0],
  ['binary', 2, 0],
  ['binary', 4, 0],
  ['extension', 1, 1],
  ['extension', 2, 1],
  ['extension', 4, 1],
  ['value', 0, 4], // float 32
  ['value', 0, 8], // float 64
  ['value', 0, 1], // uint 8
  ['value', 0, 2],
  ['value', 0, 4],
  ['value', 0, 8],
  ['value', 0, 1], // int 8
  ['value', 0, 2],
  ['value', 0, 4],
  ['value', 0, 8],
  ['extension', 0, 2], // fixext 1
  ['extension', 0, 3],
  ['extension', 0, 5],
  ['extension', 0, 9],
  ['extension', 0, 17],
  ['string', 1, 0],
  ['string', 2, 0],
  ['string', 4, 0],
  ['array', 2, 0],
  ['array', 4, 0],
  ['map', 2, 0],
  ['map', 4, 0],
];
