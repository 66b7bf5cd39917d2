/**
 * Decodes standard base64 strictly: padded, no white space, no URL alphabet, no stray bits in the last group.
 * Uses what the runtime has: `Uint8Array.fromBase64`, `Buffer` in a Node that lacks it, or `atob`.
 *
 * @throws Error when the text is anything else.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const length = decodedLength(text);
  const { fromBase64 } = Uint8Array as unknown as { fromBase64?: NativeDecoder };
  const { Buffer } = globalThis as unknown as { Buffer?: BufferLike };
  if (fromBase64 !== undefined) {
    const bytes = fromBase64.call(Uint8Array, text, { lastChunkHandling: 'strict' });
    // The built-in skips white space, which shows as fewer bytes than the length of the text promises.
    if (bytes.length !== length) throw new SyntaxError('white space inside base64');
    return bytes;
  }
  return Buffer === undefined ? decodeWithAtob(text, length) : decodeWithBuffer(Buffer, text, length);
}

/** With its own memory instead of the pool. */
function decodeWithBuffer(Buffer: BufferLike, text: string, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  const written = Buffer.from(bytes.buffer).write(text, 'base64');
  // It skips what is not base64, which shows as missing bytes. It also reads the URL alphabet, and the lower half of
  // wide characters; no string of narrow ones is searched for those.
  if (written !== length || text.includes('-') || text.includes('_') || /[\u0100-\uffff]/.test(text)) {
    throw new SyntaxError('not base64');
  }
  return checked(bytes, text);
}

/** The same where nothing is built in but `atob`, which every browser has. */
function decodeWithAtob(text: string, length: number): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  // It skips white space, which shows as missing bytes.
  if (binary.length !== length) throw new SyntaxError('white space inside base64');
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index++) bytes[index] = binary.charCodeAt(index);
  return checked(bytes, text);
}

/** Refuses stray bits in the last group: encoded again, it is another one then. */
function checked(bytes: Uint8Array<ArrayBuffer>, text: string): Uint8Array<ArrayBuffer> {
  const last = bytes.subarray(bytes.length - (bytes.length % 3));
  if (last.length > 0 && btoa(String.fromCharCode(...last)) !== text.slice(-4)) {
    throw new SyntaxError('stray bits at the end of base64');
  }
  return bytes;
}

function decodedLength(text: string): number {
  if (text.length % 4 !== 0) throw new SyntaxError('the length of base64 is not a multiple of four');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

type NativeDecoder = (text: string, options: { lastChunkHandling: 'strict' }) => Uint8Array<ArrayBuffer>;

interface BufferLike {
  from(memory: ArrayBuffer): {
    write(text: string, encoding: 'base64'): number;
  };
}
