import type { DecodedSamples } from '@speech-api/audio/play';

/** Where a recording came from; the code that is shown differs. */
export type ClipSource = 'file' | 'microphone' | 'service';

/** A recording to transcribe. */
export interface Clip {
  readonly source: ClipSource;
  readonly file: File;
}

/** Enough to draw by, and an hour of it still fits a phone. */
const drawnRate = 8000;

/** The samples of a recording, for drawing it; undefined where this browser cannot decode it. */
export async function decodeClip({ file }: Clip): Promise<DecodedSamples | undefined> {
  try {
    const context = new OfflineAudioContext(1, 1, drawnRate);
    const buffer = await context.decodeAudioData(await file.arrayBuffer());
    return { channels: [buffer.getChannelData(0)], sampleRate: buffer.sampleRate };
  } catch {
    return undefined;
  }
}
