import type { HeardVoice } from '../speech/index.ts';
import type { ClipFacts } from './inspect-clip.ts';

/** What was heard of a voice, as metrics of a clip: what was not heard is absent. */
export function metricsOf({ pitch, syllableRate, speechSeconds }: HeardVoice): Record<string, number> {
  return {
    ...(pitch === undefined ? {} : { pitch_hz: rounded(pitch) }),
    ...(syllableRate === undefined ? {} : { syllables_per_second: rounded(syllableRate) }),
    ...(speechSeconds === undefined ? {} : { speech_seconds: rounded(speechSeconds) }),
  };
}

/** What the metrics of a clip tell about the voice in it. */
export function heardVoiceOf({ metrics = {} }: ClipFacts): HeardVoice {
  return {
    pitch: metrics.pitch_hz,
    syllableRate: metrics.syllables_per_second,
    speechSeconds: metrics.speech_seconds,
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
