import { inspectClip } from '../clips/inspect-clip.ts';
import { heardVoiceOf } from '../clips/voice-metrics.ts';
import type { HeardVoice } from '../speech/index.ts';
import type { Uploads } from '../uploads/index.ts';

/** Seconds of a sample that are listened to: a voice does not change after that, and a caller waits for it. */
const mostSeconds = 60;
/** A sample that takes longer than this holds up its caller for nothing. */
const deadline = 30_000;

/** A sample of which no voice can be made, with the reason as a sentence without its end. */
export class UnreadableSampleError extends Error {
  override readonly name = 'UnreadableSampleError';
}

/**
 * What is heard of the voice in a sample that came with a request, as it is heard in the recordings of a saved voice.
 *
 * @throws UnreadableSampleError where it is no audio that is read here, or is damaged
 */
export async function listenToSample(
  bytes: Uint8Array,
  { uploads, signal }: { readonly uploads: Uploads; readonly signal: AbortSignal },
): Promise<HeardVoice> {
  const facts = await inspectClip(bytes, { uploads, signal, deadline, mostSeconds });
  if (facts.problem !== undefined) throw new UnreadableSampleError(facts.problem);
  return heardVoiceOf(facts);
}
