import { createOggPageWalker, type OggPage } from '@speech-api/audio';

/** Reads Ogg pages and checks what binds them: checksums, numbers, and a last packet that is whole. */
export function readOgg(bytes: Uint8Array): OggPage[] {
  const walker = createOggPageWalker();
  const pages = walker.push(bytes);
  if (walker.skippedBytes + walker.pendingBytes > 0) throw new Error('bytes that belong to no whole page');
  if (pages.some(({ sequenceNumber }, index) => sequenceNumber !== index))
    throw new Error('a page out of order');
  return pages;
}
