import type { HeardVoice } from './speech/voice-profile.ts';
import { UnreadableAudioError } from './uploads/sound.ts';
import type { ReadOptions, Uploads } from './uploads/uploads.ts';

/**
 * Container of a recording or a picture, detected from its first bytes; the name and the claimed type are
 * never trusted.
 */
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
  // Pictures come first, because the first bytes of a JPEG also look like an mp3 frame.
  [/^89504e470d0a1a0a/, image('png', 'image/png')],
  [/^ffd8ff/, image('jpg', 'image/jpeg')],
  [/^47494638(37|39)61/, image('gif', 'image/gif')],
  [/^52494646.{8}57454250/, image('webp', 'image/webp')],
  [/^(52494646|52463634).{8}57415645/, audio('wav', 'audio/wav')],
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
