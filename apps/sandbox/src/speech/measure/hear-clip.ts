import { medianPitch } from './median-pitch.ts';
import { readWav } from './read-wav.ts';
import { syllableRate } from './syllable-rate.ts';

/** What a clip tells about the voice in it. */
export interface HeardVoice {
  /** Hz, the median; none where nothing voiced was heard. */
  readonly pitch?: number | undefined;
  /** Syllables a second, estimated; none where too little was heard. */
  readonly syllableRate?: number | undefined;
}

/** Listens to a clip. The sound of a wav file is measured; of other containers nothing is known here. */
export function hearClip(bytes: Uint8Array): HeardVoice {
  const recording = readWav(bytes);
  if (recording === undefined) return {};
  return { pitch: medianPitch(recording), syllableRate: syllableRate(recording) };
}
