import type { AudioFormat } from '@speech-api/types';

/** The fault of audio of `length` bytes that begins with `head`, which is all of a short clip. */
export function faultOf(
  head: Uint8Array<ArrayBuffer>,
  format: AudioFormat,
  length: number,
  needsSound: boolean,
): string | undefined {
  // One character for each byte.
  const text = new TextDecoder('latin1').decode(head);
  let hasSound = length > 0;
  if (format === 'wav') {
    const { begin = length, end = 0 } = samplesOf(new DataView(head.buffer)) ?? {};
    if (end > length) return `ends after ${length} of ${end} bytes`;
    hasSound = begin < length;
  }
  if (format === 'mp3') hasSound = hasMp3Frames(text);
  if (format === 'opus') hasSound = oggPageWithSound.test(text);
  return needsSound && !hasSound ? `holds no sound (${length} bytes)` : undefined;
}

/** Writers that stream leave the largest size that they know, of 31 or of 32 bits, or a little less. */
const smallestPlaceholder = 0x7fff_0000;

/**
 * Where the samples of a wav begin, and where its header says that they end; a placeholder says nothing. The chunks alone are
 * read, because the samples are as long whatever their format is.
 */
function samplesOf(view: DataView): { readonly begin: number; readonly end: number } | undefined {
  for (let chunk = 12; chunk + 8 <= view.byteLength; ) {
    const begin = chunk + 8;
    const size = view.getUint32(chunk + 4, true);
    if (view.getUint32(chunk) === 0x64617461) {
      return { begin, end: size < smallestPlaceholder ? begin + size : 0 };
    }
    chunk = begin + size + (size % 2);
  }
  return undefined;
}

/** An encoder flushes a frame or two even when it was given nothing. */
const minimumMp3Frames = 3;

/** The head of a frame: a sync word of layer III, and a byte with a bitrate that exists. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are bytes, not a text
const mp3Frame = /\xff[\xe2\xe3\xf2\xf3\xfa\xfb][^\0-\x0f\xf0-\xff]/g;

function hasMp3Frames(text: string): boolean {
  const heads = text.match(mp3Frame) ?? [];
  // All frames are of one version of the format.
  const frames = heads.filter((head) => head[1] === heads[0]?.[1]);
  // The first frame may hold no sound but a table of the file.
  return frames.length >= minimumMp3Frames + Number(/Xing|Info|VBRI/.test(text.slice(0, 1024)));
}

/**
 * The head of a page with sound: after its name, version and flags it has a position that is not 0, as that of headers is, and
 * after its numbers and checksum the count and the length of its pieces, of which the page that ends an empty stream has none.
 */
const oggPageWithSound = /OggS\0.(?!\0{8}).{20}[^\0]{2}/s;
