import { ascii, join, viewOf } from '../bytes.ts';
import { type AudioTags, type Cover, frontCover, type Metadata, tagNames } from '../metadata.ts';

const longest = 99 * 3600 + 59 * 60 + 59.999;

/** The second header of Ogg Opus. Its length does not depend on the times of its chapters. */
export function writeOpusTags({ tags, cover, chapters }: Metadata): Uint8Array {
  const comments: Uint8Array[] = [];
  for (const [name, value] of Object.entries(tags))
    if (value !== undefined) comments.push(ascii(`${tagNames[name as keyof AudioTags][1]}=${value}`));
  for (const [index, { title, start }] of chapters.entries()) {
    const name = `CHAPTER${String(index).padStart(3, '0')}`;
    comments.push(ascii(`${name}=${clock(start)}`), ascii(`${name}NAME=${title}`));
  }
  if (cover !== undefined) comments.push(join([ascii('METADATA_BLOCK_PICTURE='), base64(picture(cover))]));
  return join([
    ascii('OpusTags'),
    prefixed(ascii('speech-api')),
    count(comments.length),
    ...comments.map(prefixed),
  ]);
}

/** `3725.4` as `01:02:05.400`. */
function clock(seconds: number): string {
  const milliseconds = Math.round(Math.min(seconds, longest) * 1000);
  const hours = String(Math.floor(milliseconds / 3_600_000)).padStart(2, '0');
  // The rest is that of a date, whose own hours end with the day.
  return hours + new Date(milliseconds).toISOString().slice(13, 23);
}

/** A FLAC picture block. Players measure the picture themselves, so its size is left at 0. */
function picture({ bytes, mediaType }: Cover): Uint8Array {
  const type = ascii(mediaType);
  const numbers = (...values: number[]): Uint8Array => {
    const written = new Uint8Array(4 * values.length);
    for (const [index, value] of values.entries()) viewOf(written).setUint32(4 * index, value);
    return written;
  };
  return join([numbers(frontCover, type.length), type, numbers(0, 0, 0, 0, 0, bytes.length), bytes]);
}

function base64(bytes: Uint8Array): Uint8Array {
  const pieces: string[] = [];
  // A multiple of three needs no padding, and as many arguments are allowed.
  for (let start = 0; start < bytes.length; start += 24_576)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(start, start + 24_576))));
  return ascii(pieces.join(''));
}

function prefixed(bytes: Uint8Array): Uint8Array {
  return join([count(bytes.length), bytes]);
}

function count(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  viewOf(bytes).setUint32(0, value, true);
  return bytes;
}
