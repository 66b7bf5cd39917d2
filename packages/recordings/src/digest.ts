/** One SHA-256 over several buffers, in hexadecimal digits. */
export async function hexDigest(buffers: readonly Uint8Array<ArrayBuffer>[]): Promise<string> {
  const hashes = await Promise.all(buffers.map((buffer) => crypto.subtle.digest('SHA-256', buffer)));
  const all = new Uint8Array(hashes.length * 32);
  for (const [index, hash] of hashes.entries()) all.set(new Uint8Array(hash), index * 32);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', all));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
