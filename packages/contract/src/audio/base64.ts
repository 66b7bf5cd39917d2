/** The bytes of strict base64: standard alphabet, padded, nothing beside it; `undefined` when it is none. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  // Node's decoder skips what it does not know; only the text that the bytes are written as is the right one.
  return bytes.toString('base64') === text ? bytes : undefined;
}
