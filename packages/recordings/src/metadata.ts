import type { AudioFormat } from '@speech-api/types';
import { hasText } from './bytes.ts';
import type { Chapter } from './chapters.ts';
import { lengthOf } from './split-text.ts';

/** Tags that players show. */
export interface AudioTags {
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly album?: string | undefined;
  readonly narrator?: string | undefined;
  /** Four digits. */
  readonly year?: string | undefined;
  readonly genre?: string | undefined;
  /** A language code. Players of mp3 expect three letters, such as `eng`. */
  readonly language?: string | undefined;
}

/** Names of the tags in ID3 and in comments of Ogg. */
export const tagNames: Readonly<Record<keyof AudioTags, readonly [id3: string, comment: string]>> = {
  title: ['TIT2', 'TITLE'],
  author: ['TPE1', 'ARTIST'],
  album: ['TALB', 'ALBUM'],
  narrator: ['TCOM', 'PERFORMER'],
  year: ['TYER', 'DATE'],
  genre: ['TCON', 'GENRE'],
  language: ['TLAN', 'LANGUAGE'],
};

/** The picture type for a front cover: the same number in ID3 and in Ogg comments. */
export const frontCover = 3;

/** A picture of a file. */
export interface Cover {
  readonly bytes: Uint8Array;
  readonly mediaType: 'image/jpeg' | 'image/png';
}

/** All that a container says beside its sound. */
export interface Metadata {
  readonly tags: AudioTags;
  readonly cover: Cover | undefined;
  /** In order. A time that is still unknown is 0: times have a fixed width, so it can be written over in place. */
  readonly chapters: readonly Chapter[];
}

export const noMetadata: Metadata = { tags: {}, cover: undefined, chapters: [] };

const maximumTagCharacters = 1000;
/** Of a cover. */
export const maximumCoverBytes = 10_000_000;

/**
 * Checks the tags and the cover of a file, as `speakLong` does before anything is sent.
 *
 * @throws RangeError that names the value.
 */
export function checkMetadata(
  format: AudioFormat,
  tags: AudioTags = {},
  cover?: Uint8Array,
): Omit<Metadata, 'chapters'> {
  const given = Object.entries(tags).filter(([, value]) => value !== undefined);
  if ((format === 'wav' || format === 'pcm') && (given.length > 0 || cover !== undefined)) {
    throw new RangeError(`a ${format} file has no place for tags or a cover; use mp3 or opus`);
  }
  for (const [name, value] of given) {
    if (!Object.hasOwn(tagNames, name))
      throw new RangeError(`tags.${name} is unknown; use ${Object.keys(tagNames).join(', ')}`);
    if (typeof value !== 'string' || value.trim() === '' || /\p{Cc}/u.test(value))
      throw new RangeError(`tags.${name} must be a line of text`);
    if (lengthOf(value) > maximumTagCharacters)
      throw new RangeError(
        `tags.${name} has ${lengthOf(value)} characters; the limit is ${maximumTagCharacters}`,
      );
  }
  if (tags.year !== undefined && !/^\d{4}$/.test(tags.year))
    throw new RangeError(`tags.year is "${tags.year}"; use four digits`);
  return { tags, cover: cover === undefined ? undefined : readCover(cover) };
}

function readCover(bytes: Uint8Array): Cover {
  if (bytes.length > maximumCoverBytes)
    throw new RangeError(`cover is ${bytes.length} bytes; the limit is ${maximumCoverBytes}`);
  if (hasText(bytes, 0, '\u00ff\u00d8\u00ff')) return { bytes, mediaType: 'image/jpeg' };
  if (hasText(bytes, 0, '\u0089PNG')) return { bytes, mediaType: 'image/png' };
  throw new RangeError('cover must be a jpeg or png picture');
}
