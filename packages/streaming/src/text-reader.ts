/** UTF-8 in pieces to text. */
export interface TextReader {
  push(bytes: Uint8Array): string;
  /** What an end inside a character leaves. */
  end(): string;
}

/**
 * Does what `TextDecoder` does with `stream: true`, which takes five times as long in Node: a character that is cut
 * waits here for its other bytes, and what is whole is decoded in one go. A byte order mark is left where it is.
 */
export function createTextReader(): TextReader {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let waiting = new Uint8Array();
  return {
    push(bytes) {
      let whole = bytes;
      if (waiting.length > 0) {
        whole = new Uint8Array(waiting.length + bytes.length);
        whole.set(waiting);
        whole.set(bytes, waiting.length);
      }
      const cut = lengthOfWhole(whole);
      // Copied, because the caller may write into its memory again.
      waiting = whole.slice(cut);
      return decoder.decode(whole.subarray(0, cut));
    },
    end: () => decoder.decode(waiting),
  };
}

/** Bytes before a character that is not complete; all of them where the last is. */
function lengthOfWhole(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back] ?? 0;
    // 0xxxxxxx, or 10xxxxxx, which goes on from a byte before it.
    if (byte < 0x80) return length;
    if (byte < 0xc0) continue;
    const needed = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return back < needed ? length - back : length;
  }
  return length;
}
