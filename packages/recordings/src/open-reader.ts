import { hasText } from './bytes.ts';
import { RecordingError } from './errors.ts';
import { createAdtsReader } from './formats/aac.ts';
import { createFlacReader } from './formats/flac.ts';
import { createMp3Reader } from './formats/mp3.ts';
import { createOggReader } from './formats/ogg.ts';
import type { TrackReader } from './formats/track.ts';
import { createWavReader } from './formats/wav.ts';

/** So many bytes tell a container, behind any tag. */
export const signatureBytes = 12;

/** What mediabunny reads. */
const demuxed: readonly (readonly [name: string, position: number, text: string])[] = [
  ['mp4', 4, 'ftyp'],
  ['mov', 4, 'moov'],
  ['mov', 4, 'mdat'],
  ['mov', 4, 'wide'],
  ['webm', 0, '\u001aE\u00df\u00a3'],
];
/** What can be named and not be cut. */
const others: readonly (readonly [name: string, position: number, text: string])[] = [
  ['a wma or asf file', 0, '0&\u00b2u'],
  ['an aiff file', 0, 'FORM'],
  ['a caf file', 0, 'caff'],
  ['an amr file', 0, '#!AMR'],
  ['an avi file', 8, 'AVI '],
];

/** The name of a container that mediabunny reads; undefined for all others. */
export function demuxedContainer(head: Uint8Array): string | undefined {
  return demuxed.find(([, position, text]) => hasText(head, position, text))?.[0];
}

/** The reader of a container and its name, by its first bytes. A file name says nothing that can be relied on. */
export function openReader(
  head: Uint8Array,
  fileBytes?: number,
): { readonly container: string; readonly reader: TrackReader } {
  const isRiff = ['RIFF', 'RF64', 'BW64'].some((name) => hasText(head, 0, name));
  if (isRiff && hasText(head, 8, 'WAVE')) return { container: 'wav', reader: createWavReader(fileBytes) };
  if (hasText(head, 0, 'fLaC')) return { container: 'flac', reader: createFlacReader() };
  if (hasText(head, 0, 'OggS')) return { container: 'Ogg', reader: createOggReader() };
  const other = others.find(([, position, text]) => hasText(head, position, text));
  if (other !== undefined) {
    throw new RecordingError(
      `This is ${other[0]}, which cannot be cut here and is too large to be sent as it is. Take its sound out: ffmpeg -i IN -vn -c:a libopus -b:a 32k out.ogg`,
      'unsupported',
    );
  }
  if (head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0)
    return { container: 'aac', reader: createAdtsReader() };
  const isMp3 = hasText(head, 0, 'ID3') || (head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2);
  if (isMp3 || head.every((byte) => byte === 0)) return { container: 'mp3', reader: createMp3Reader() };
  throw new RecordingError(
    'No wav, mp3, flac, Ogg, mp4, m4a, webm or aac file begins here. If it is audio, convert it: ffmpeg -i IN -vn -c:a libopus -b:a 32k out.ogg',
    'not-recognised',
  );
}
