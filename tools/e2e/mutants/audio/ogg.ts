/** Position and length of each page. */
export function oggPages(ogg: Buffer): { readonly at: number; readonly length: number }[] {
  const pages: { at: number; length: number }[] = [];
  for (let at = 0; at < ogg.length; ) {
    if (ogg.toString('latin1', at, at + 4) !== 'OggS') throw new Error(`there is no page at byte ${at}`);
    const count = ogg.readUInt8(at + 26);
    const lacing = ogg.subarray(at + 27, at + 27 + count);
    const length = lacing.reduce((sum, size) => sum + size, 27 + count);
    pages.push({ at, length });
    at += length;
  }
  return pages;
}
