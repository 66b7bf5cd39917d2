import { createMp3FrameWalker } from '@speech-api/audio';
import { hasText } from './bytes.ts';
import { conversionOfBroadcast, unsupported } from './errors.ts';
import { createMp3Reader } from './formats/mp3.ts';
import { createOggReader } from './formats/ogg.ts';
import type { TrackReader } from './formats/track.ts';
import { createWavReader } from './formats/wav.ts';

/** Number of bytes after any tag by which most containers are recognised. */
export const signatureBytes = 12;
/** Bytes in which to search for mp3 frames, in a file that begins inside one. */
export const searchedBytes = 16_384;
const transportStream = 'an MPEG-TS file';
const transportPacketBytes = 188;

/** Containers by their first bytes. `readContainer` and `openReader` read those of one word; others are named and sent whole. */
const signatures: readonly (readonly [name: string, position: number, text: string])[] = [
  ['mp4', 4, 'ftyp'],
  ['mov', 4, 'moov'],
  ['mov', 4, 'mdat'],
  ['mov', 4, 'wide'],
  ['webm', 0, '\u001aE\u00df\u00a3'],
  ['flac', 0, 'fLaC'],
  ['wav', 8, 'WAVE'],
  ['Ogg', 0, 'OggS'],
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
/** The containers that mediabunny reads. */
export const demuxedContainers: readonly (string | undefined)[] = [
  'mp4',
  'mov',
  'webm',
  'flac',
  'AAC (adts)',
];

/** Bytes of the ID3 tag at the start of a file; 0 if there is none. */
export function id3Bytes(head: Uint8Array): number {
  if (!hasText(head, 0, 'ID3')) return 0;
  const [flags = 0, ...digits] = head.subarray(5, 10);
  if (digits.some((digit) => digit > 0x7f)) return 0;
  const size = digits.reduce((sum, digit) => sum * 128 + digit, 0);
  return 10 + size + ((flags & 0x10) === 0 ? 0 : 10);
}

/** The name of the container that begins here; undefined if more bytes are needed. */
export function containerOf(head: Uint8Array): string | undefined {
  if ([0, 1, 2].every((index) => head[index * transportPacketBytes] === 0x47)) return transportStream;
  const signature = signatures.find(([, position, text]) => hasText(head, position, text));
  if (signature !== undefined) return signature[0];
  if (head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0) return 'AAC (adts)';
  return head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2 ? 'mp3' : undefined;
}

/**
 * The reader of a container, by its first bytes. A file name says nothing that can be relied on.
 *
 * @param fileBytes - from here to the end of the file, where that is known
 * @param isTagged - A tag came before, as it does in mp3 files.
 * @throws RecordingError for what is not read here
 */
export function openReader(head: Uint8Array, fileBytes?: number, isTagged = false): TrackReader {
  const container = containerOf(head) ?? (isTagged || hasFrames(head) ? 'mp3' : undefined);
  if (container === 'wav') return createWavReader(fileBytes);
  if (container === 'Ogg') return createOggReader();
  if (container === 'mp3') return createMp3Reader(fileBytes);
  if (container === transportStream) throw unsupported(container, conversionOfBroadcast);
  throw unsupported(container ?? 'no wav, mp3, flac, Ogg, mp4, mov, webm or aac file');
}

/** A copy of a broadcast begins inside an mp3 frame. Several frames in a row are no coincidence. */
function hasFrames(head: Uint8Array): boolean {
  const walker = createMp3FrameWalker();
  return walker.push(head).length >= 3;
}
