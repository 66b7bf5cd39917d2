import { UnreadableAudioError } from './uploads/sound.ts';
import type { Uploads } from './uploads/uploads.ts';

/** Each with the bytes it starts with in hex: the name and the claimed type of a file are never trusted. */
const fileTypes: readonly (readonly [signature: RegExp, extension: string, mediaType: string])[] = [
  // Pictures come first, because the first bytes of a JPEG also look like an mp3 frame.
  [/^89504e470d0a1a0a/, 'png', 'image/png'],
  [/^ffd8ff/, 'jpg', 'image/jpeg'],
  [/^47494638(37|39)61/, 'gif', 'image/gif'],
  [/^52494646.{8}57454250/, 'webp', 'image/webp'],
  [/^(52494646|52463634).{8}57415645/, 'wav', 'audio/wav'],
  [/^494433/, 'mp3', 'audio/mpeg'],
  [/^fff[0189]/, 'aac', 'audio/aac'],
  [/^ff[ef][2-7a-f]/, 'mp3', 'audio/mpeg'],
  [/^4f676753/, 'ogg', 'audio/ogg'],
  [/^664c6143/, 'flac', 'audio/flac'],
  [/^.{8}66747970/, 'm4a', 'audio/mp4'],
  [/^1a45dfa3/, 'webm', 'audio/webm'],
  [/^464f524d.{8}414946(43|46)/, 'aiff', 'audio/aiff'],
];

const longestSignature = 16;

/** The extension for the name of a file, by its first bytes; `bin` for one that is not known. */
export function extensionOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, longestSignature)).toString('hex');
  return fileTypes.find(([signature]) => signature.test(head))?.[1] ?? 'bin';
}

/** The media type of a file that was kept, by its name. */
export function mediaTypeOfFile(name: string): string {
  const extension = name.split('.').at(-1);
  return fileTypes.find(([, known]) => known === extension)?.[2] ?? 'application/octet-stream';
}

/** Known facts about a recording. Anything not measured is absent, never guessed. */
export interface ClipFacts {
  /** Reason why no voice can be made from it, as a sentence without its end; absent if one can. */
  readonly problem?: string;
  /** Measured from the decoded audio, not read from a header. */
  readonly seconds?: number;
  /** Seconds in which there seems to be a voice; absent where the sound was not decoded. */
  readonly speechSeconds?: number;
}

/** Finds out whether a recording is one, and how long it is. */
export async function inspectClip(
  bytes: Uint8Array,
  { uploads, signal }: { readonly uploads: Uploads; readonly signal: AbortSignal },
): Promise<ClipFacts> {
  try {
    const { duration, decoded, voice } = await uploads.read(bytes, { signal });
    const speech = voice.reduce((sum, { start, end }) => sum + end - start, 0);
    return { seconds: duration, ...(decoded && { speechSeconds: Math.round(speech * 100) / 100 }) };
  } catch (error) {
    if (error instanceof UnreadableAudioError) return { problem: error.message };
    throw error;
  }
}
