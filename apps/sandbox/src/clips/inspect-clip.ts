import { type ReadOptions, UnreadableAudioError, type Uploads } from '../uploads/index.ts';
import { metricsOf } from './voice-metrics.ts';

/** What is known of a recording. What was not measured is absent, never guessed. */
export interface ClipFacts {
  /** Why no voice can be made of it, as a sentence without its end; absent when one can. */
  readonly problem?: string;
  /** Measured from the decoded audio, not read from a header. */
  readonly seconds?: number;
  readonly language?: string;
  /** Measurements by their names. */
  readonly metrics?: Readonly<Record<string, number>>;
}

/** Finds out what a recording is, and what the voice in it sounds like. */
export async function inspectClip(
  bytes: Uint8Array,
  { uploads, ...options }: ReadOptions & { readonly uploads: Uploads; readonly signal: AbortSignal },
): Promise<ClipFacts> {
  try {
    const clip = await uploads.inspectClip(bytes, options);
    const speechSeconds = clip.voice.reduce((sum, { start, end }) => sum + end - start, 0);
    const heard = { pitch: clip.pitch, syllableRate: clip.syllableRate, speechSeconds };
    const loudness = clip.loudness === undefined ? {} : { loudness_db: Math.round(clip.loudness * 10) / 10 };
    return { seconds: clip.duration, metrics: clip.decoded ? { ...metricsOf(heard), ...loudness } : {} };
  } catch (error) {
    if (error instanceof UnreadableAudioError) return { problem: error.message };
    throw error;
  }
}
