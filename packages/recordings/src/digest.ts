/** A digest copies what it is given, so it is given little at a time. */
const blockBytes = 1024 * 1024;

/** One SHA-256 over several buffers, in hexadecimal digits. */
export async function hexDigest(buffers: readonly Uint8Array[]): Promise<string> {
  const hashes: Uint8Array[] = [];
  const block = new Uint8Array(blockBytes);
  for (const buffer of buffers) {
    for (let start = 0; start === 0 || start < buffer.length; start += blockBytes) {
      const piece = buffer.subarray(start, start + blockBytes);
      block.set(piece);
      const hash = await crypto.subtle.digest('SHA-256', block.subarray(0, piece.length));
      hashes.push(new Uint8Array(hash));
    }
  }
  const all = new Uint8Array(hashes.length * 32);
  for (const [index, hash] of hashes.entries()) all.set(hash, index * 32);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', all));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
