/**
 * Audio tokens in a second of speech at speed 1. The interface does not say how much one is
 * (`audio-tokens-a-second` in the register of unknowns): few enough that the default of `max_new_tokens` cuts no
 * chunk of ordinary text.
 */
const tokensASecond = 8;

/** Seconds of audio a chunk has at most; slower speech stretches its tokens. */
export function mostSeconds(maxNewTokens: number, speed: number): number {
  return Math.max(0, maxNewTokens) / tokensASecond / speed;
}
