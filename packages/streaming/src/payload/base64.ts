const INVALID = 255;
const PADDING = 61;

let cachedTable: Uint8Array | undefined;

/**
 * Decodes standard base64 strictly: padded, no white space, no URL alphabet, no stray bits in the last group.
 * Uses what the runtime has: `Uint8Array.fromBase64`, or `Buffer` in a Node that lacks it.
 *
 * @throws SyntaxError when the text is anything else.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const length = decodedLength(text);
  const { fromBase64 } = Uint8Array as unknown as { fromBase64?: NativeDecoder };
  const { Buffer } = globalThis as unknown as { Buffer?: BufferConstructorLike };
  if (fromBase64 !== undefined) {
    const bytes = fromBase64.call(Uint8Array, text, { lastChunkHandling: 'strict' });
    // The built-in skips white space, which shows as fewer bytes than the length of the text promises.
    if (bytes.length !== length) throw new SyntaxError('white space inside base64');
    return bytes;
  }
  return Buffer === undefined ? decodeWithTable(text, length) : decodeWithBuffer(Buffer, text, length);
}

/** Three to ten times as fast as the table, with its own memory instead of the pool. */
function decodeWithBuffer(
  Buffer: BufferConstructorLike,
  text: string,
  length: number,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  const written = Buffer.from(bytes.buffer).write(text, 'base64');
  // It skips what is not base64, which shows as missing bytes. It also reads the URL alphabet, stray bits, and the
  // lower half of wide characters; no string of narrow ones is searched for those.
  if (written !== length || text.includes('-') || text.includes('_') || /[\u0100-\uffff]/.test(text)) {
    throw new SyntaxError('not base64');
  }
  if (length % 3 !== 0) decodeLastGroup(text, text.length - 4, bytes, length - (length % 3));
  return bytes;
}

/** The same decoder without the built-in: four characters at a time through a table. */
export function decodeWithTable(text: string, length = decodedLength(text)): Uint8Array<ArrayBuffer> {
  const table = decodingTable();
  const bytes = new Uint8Array(length);
  // Characters beyond Latin-1 would index outside the table; `?? INVALID` is slower than one mask checked at the end.
  let seen = 0;
  let written = 0;
  let position = 0;
  const whole = length - (length % 3);
  while (written < whole) {
    const first = text.charCodeAt(position);
    const second = text.charCodeAt(position + 1);
    const third = text.charCodeAt(position + 2);
    const fourth = text.charCodeAt(position + 3);
    seen |= first | second | third | fourth;
    const a = table[first & 255] as number;
    const b = table[second & 255] as number;
    const c = table[third & 255] as number;
    const d = table[fourth & 255] as number;
    if ((a | b | c | d) > 63) throw new SyntaxError(`not a base64 character near position ${position}`);
    bytes[written] = (a << 2) | (b >> 4);
    bytes[written + 1] = (b << 4) | (c >> 2);
    bytes[written + 2] = (c << 6) | d;
    position += 4;
    written += 3;
  }
  if (seen > 255) throw new SyntaxError('not a base64 character');
  if (written < length) decodeLastGroup(text, position, bytes, written);
  return bytes;
}

function decodeLastGroup(text: string, position: number, bytes: Uint8Array, written: number): void {
  const a = sextet(text, position);
  const b = sextet(text, position + 1);
  bytes[written] = (a << 2) | (b >> 4);
  if (bytes.length - written === 1) {
    if ((b & 15) !== 0) throw new SyntaxError('stray bits at the end of base64');
    return;
  }
  const c = sextet(text, position + 2);
  bytes[written + 1] = (b << 4) | (c >> 2);
  if ((c & 3) !== 0) throw new SyntaxError('stray bits at the end of base64');
}

function sextet(text: string, position: number): number {
  const code = text.charCodeAt(position);
  const value = decodingTable()[code] ?? INVALID;
  if (value > 63) throw new SyntaxError(`not a base64 character at position ${position}`);
  return value;
}

function decodedLength(text: string): number {
  if (text.length % 4 !== 0) throw new SyntaxError('the length of base64 is not a multiple of four');
  let padding = 0;
  if (text.charCodeAt(text.length - 1) === PADDING) {
    padding = text.charCodeAt(text.length - 2) === PADDING ? 2 : 1;
  }
  return (text.length / 4) * 3 - padding;
}

function decodingTable(): Uint8Array {
  if (cachedTable !== undefined) return cachedTable;
  const table = new Uint8Array(256).fill(INVALID);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let value = 0; value < alphabet.length; value++) table[alphabet.charCodeAt(value)] = value;
  cachedTable = table;
  return table;
}

type NativeDecoder = (text: string, options: { lastChunkHandling: 'strict' }) => Uint8Array<ArrayBuffer>;

interface BufferConstructorLike {
  from(memory: ArrayBuffer): {
    write(text: string, encoding: 'base64'): number;
  };
}
