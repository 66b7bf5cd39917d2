import { expect, test } from 'vitest';
import { onePixel } from '../testing/models.ts';
import { makeWav } from '../uploads/testing/sounds.ts';
import { extensionOf, mediaTypeOfFile } from './files.ts';

const unknown = 'application/octet-stream';
const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

test.each<[string, Uint8Array, string]>([
  ['wav', makeWav(200), 'audio/wav'],
  ['mp3 with a tag', bytes('ID3\x04\0'), 'audio/mpeg'],
  ['Ogg', bytes('OggS\0'), 'audio/ogg'],
  ['FLAC', bytes('fLaC\0'), 'audio/flac'],
  ['m4a', bytes('\0\0\0\x20ftypM4A '), 'audio/mp4'],
  ['WebM', bytes('\x1a\x45\xdf\xa3'), 'audio/webm'],
  ['PNG', onePixel, 'image/png'],
  ['JPEG', bytes('\xff\xd8\xff\xe0'), 'image/jpeg'],
  ['WebP', bytes('RIFF\0\0\0\0WEBPVP8 '), 'image/webp'],
  ['a web page', bytes('<html><script>'), unknown],
  ['a picture that can run scripts', bytes('<svg onload="">'), unknown],
  ['RIFF of something else', bytes('RIFF\0\0\0\0AVI LIST'), unknown],
])('tells %s by its first bytes, and by the name under which it is kept', (_what, bytes, mediaType) => {
  expect(mediaTypeOfFile(`a.${extensionOf(bytes)}`)).toBe(mediaType);
});
