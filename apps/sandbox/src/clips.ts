import type { HeardVoice } from './speech/voice-profile.ts';
import { UnreadableAudioError } from './uploads/sound.ts';
import type { ReadOptions, Uploads } from './uploads/uploads.ts';

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
  /** Measurements by their names. */
  readonly metrics?: Readonly<Record<string, number>>;
}

/** Finds out what a recording is, and what the voice in it sounds like. */
export async function inspectClip(
  bytes: Uint8Array,
  { uploads, ...options }: ReadOptions & { readonly uploads: Uploads; readonly signal: AbortSignal },
): Promise<ClipFacts> {
  try {
    const { duration, decoded, voice, pitch, syllableRate, loudness } = await uploads.inspectClip(
      bytes,
      options,
    );
    const measured = [
      ['pitch_hz', pitch, 100],
      ['syllables_per_second', syllableRate, 100],
      ['speech_seconds', voice.reduce((sum, { start, end }) => sum + end - start, 0), 100],
      ['loudness_db', loudness, 10],
    ] as const;
    const metrics = measured.flatMap(([name, value, steps]) =>
      value === undefined || !decoded ? [] : [[name, Math.round(value * steps) / steps] as const],
    );
    return { seconds: duration, metrics: Object.fromEntries(metrics) };
  } catch (error) {
    if (error instanceof UnreadableAudioError) return { problem: error.message };
    throw error;
  }
}

/** Voice measurements from the metrics of a clip. */
export function heardVoiceOf({ metrics = {} }: ClipFacts): HeardVoice {
  return {
    pitch: metrics.pitch_hz,
    syllableRate: metrics.syllables_per_second,
    speechSeconds: metrics.speech_seconds,
  };
}
