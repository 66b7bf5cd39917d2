/** What a recording or a picture is wrapped in, told by its first bytes; the name and the claimed type are never trusted. */
export interface Container {
  readonly kind: 'audio' | 'image';
  /** For the name of its file. */
  readonly extension: string;
  readonly mediaType: string;
}

const audio = (extension: string, mediaType: string): Container => ({ kind: 'audio', extension, mediaType });
const image = (extension: string, mediaType: string): Container => ({ kind: 'image', extension, mediaType });

/** Each with the bytes it starts with in hex. */
const signatures: readonly (readonly [RegExp, Container])[] = [
  // A picture first: the mark of a JPEG could be taken for a frame of mp3.
  [/^89504e470d0a1a0a/, image('png', 'image/png')],
  [/^ffd8ff/, image('jpg', 'image/jpeg')],
  [/^47494638(37|39)61/, image('gif', 'image/gif')],
  [/^52494646.{8}57454250/, image('webp', 'image/webp')],
  [/^52494646.{8}57415645/, audio('wav', 'audio/wav')],
  [/^494433/, audio('mp3', 'audio/mpeg')],
  [/^fff[0189]/, audio('aac', 'audio/aac')],
  [/^ff[ef][2-7a-f]/, audio('mp3', 'audio/mpeg')],
  [/^4f676753/, audio('ogg', 'audio/ogg')],
  [/^664c6143/, audio('flac', 'audio/flac')],
  [/^.{8}66747970/, audio('m4a', 'audio/mp4')],
  [/^1a45dfa3/, audio('webm', 'audio/webm')],
  [/^464f524d.{8}414946(43|46)/, audio('aiff', 'audio/aiff')],
];

const longestSignature = 16;

/** The container of bytes, or `undefined` for one that is not known. */
export function containerOf(bytes: Uint8Array): Container | undefined {
  const head = Buffer.from(bytes.subarray(0, longestSignature)).toString('hex');
  return signatures.find(([signature]) => signature.test(head))?.[1];
}

/** The media type of a file that was kept, by its name. */
export function mediaTypeOfFile(name: string): string | undefined {
  const extension = name.split('.').at(-1);
  return signatures.find(([, container]) => container.extension === extension)?.[1].mediaType;
}
