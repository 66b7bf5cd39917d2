import { medianPitch } from './median-pitch.ts';
import { readWav } from './read-wav.ts';
import { speakingIn } from './speaking.ts';

/** What a clip tells about the voice in it. */
export interface HeardVoice {
  /** Hz, the median; none where nothing voiced was heard. */
  readonly pitch?: number | undefined;
  /** Syllables a second, estimated; none where too little was heard. */
  readonly syllableRate?: number | undefined;
  /** Seconds of speech in it, pauses left out. */
  readonly speechSeconds?: number | undefined;
}

/** Listens to a clip. The sound of a wav file is measured; of other containers nothing is known here. */
export function hearClip(bytes: Uint8Array): HeardVoice {
  const recording = readWav(bytes);
  if (recording === undefined) return {};
  const speaking = speakingIn(recording);
  return {
    pitch: medianPitch(recording),
    syllableRate: speaking?.syllableRate,
    speechSeconds: speaking?.seconds,
  };
}
