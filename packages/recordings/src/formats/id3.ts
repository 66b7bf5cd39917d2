import { ascii, join, viewOf } from '../bytes.ts';
import type { Chapter } from '../chapters.ts';
import { type AudioTags, frontCover, type Metadata, tagNames } from '../metadata.ts';

/** Players look at the times, and not for bytes at a position. */
const noPosition = 0xffff_ffff;

/** An ID3v2.3 tag, and none where there is nothing to say. Its length does not depend on the times of its chapters. */
export function writeId3({ tags, cover, chapters }: Metadata): Uint8Array<ArrayBuffer> {
  const frames: Uint8Array[] = [];
  for (const [name, value] of Object.entries(tags))
    if (value !== undefined) frames.push(textFrame(tagNames[name as keyof AudioTags][0], value));
  if (cover !== undefined) {
    const head = join([Uint8Array.of(0), ascii(`${cover.mediaType}\0`), Uint8Array.of(frontCover, 0)]);
    frames.push(frame('APIC', [head, cover.bytes]));
  }
  if (chapters.length > 0) {
    const ids = chapters.map((_, index) => ascii(`chp${index}\0`));
    // A list at the top, in order.
    frames.push(frame('CTOC', [ascii('toc\0'), Uint8Array.of(3, chapters.length), ...ids]));
    for (const [index, chapter] of chapters.entries()) {
      const title = textFrame('TIT2', chapter.title);
      frames.push(frame('CHAP', [ascii(`chp${index}\0`), times(chapter), title]));
    }
  }
  if (frames.length === 0) return new Uint8Array(0);
  const body = join(frames);
  const size = [21, 14, 7, 0].map((shift) => (body.length >> shift) & 0x7f);
  return join([ascii('ID3'), Uint8Array.of(3, 0, 0, ...size), body]);
}

function frame(id: string, contents: readonly Uint8Array[]): Uint8Array {
  const content = join(contents);
  const head = new Uint8Array(10);
  head.set(ascii(id));
  viewOf(head).setUint32(4, content.length);
  return join([head, content]);
}

/** UTF-16 with its mark: what version 2.3 has for all languages. */
function textFrame(id: string, text: string): Uint8Array {
  const content = new Uint8Array(3 + 2 * text.length);
  content.set([1, 0xff, 0xfe]);
  for (let index = 0; index < text.length; index++)
    viewOf(content).setUint16(3 + 2 * index, text.charCodeAt(index), true);
  return frame(id, [content]);
}

function times({ start, end }: Chapter): Uint8Array {
  const bytes = new Uint8Array(16);
  const values = [Math.round(start * 1000), Math.round(end * 1000), noPosition, noPosition];
  for (const [index, value] of values.entries()) viewOf(bytes).setUint32(4 * index, value);
  return bytes;
}
