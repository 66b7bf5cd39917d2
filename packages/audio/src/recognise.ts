import { hasText } from './bytes.ts';
import { createMp3FrameWalker } from './mp3.ts';

/** Number of bytes after any tag by which most containers are recognised. */
export const signatureBytes = 12;
/** Bytes in which to search for mp3 frames, in a file that begins inside one. */
export const searchedBytes = 16_384;
const transportPacketBytes = 188;

/** The containers that this package reads, here or in its `./containers`. */
export type Container = 'wav' | 'mp3' | 'ogg' | 'flac' | 'adts' | 'mp4' | 'webm';

/** A container by its first bytes, or the name of a file that is not read here, such as `an aiff file`. */
export type Recognised = { readonly container: Container } | { readonly other: string } | undefined;

const signatures: readonly (readonly [name: Container, position: number, text: string])[] = [
  ['mp4', 4, 'ftyp'],
  ['mp4', 4, 'moov'],
  ['mp4', 4, 'mdat'],
  ['mp4', 4, 'wide'],
  ['webm', 0, '\u001aE\u00df\u00a3'],
  ['flac', 0, 'fLaC'],
  ['wav', 8, 'WAVE'],
  ['ogg', 0, 'OggS'],
];
const otherSignatures: readonly (readonly [name: string, position: number, text: string])[] = [
  ['an avi file', 8, 'AVI '],
  ['a wma or asf file', 0, '0&\u00b2u'],
  ['an aiff file', 0, 'FORM'],
  ['a caf file', 0, 'caff'],
  ['an amr file', 0, '#!AMR'],
  ['an au file', 0, '.snd'],
  ['a w64 file', 0, 'riff'],
  ['a wv file', 0, 'wvpk'],
  ['a tta file', 0, 'TTA'],
  ['an ac3 file', 0, '\u000bw'],
];
export const transportStream = 'an MPEG-TS file';

/** Recognises a container by its first bytes after any tag: names and media types say nothing that can be relied on. */
export function recogniseContainer(head: Uint8Array): Recognised {
  const isSigned = ([, position, text]: readonly [string, number, string]): boolean =>
    hasText(head, position, text);
  if ([0, 1, 2].every((index) => head[index * transportPacketBytes] === 0x47))
    return { other: transportStream };
  const container = signatures.find(isSigned);
  if (container !== undefined) return { container: container[0] };
  const otherSignature = otherSignatures.find(isSigned);
  if (otherSignature !== undefined) return { other: otherSignature[0] };
  const [first, second = 0] = head;
  if (first === 0xff && (second & 0xf6) === 0xf0) return { container: 'adts' };
  // A copy of a broadcast begins inside an mp3 frame. Several frames in a row are no coincidence.
  const frames = createMp3FrameWalker().push(head.subarray(0, searchedBytes));
  return frames.length >= 3 ? { container: 'mp3' } : undefined;
}
