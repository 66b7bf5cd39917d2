import type { AudioFacts } from '../audio/audio-facts.ts';
import { type Inspected, inspectInThread } from '../audio/inspect-in-thread.ts';
import { type AskedAudio, formatOfMediaType } from './asked-audio.ts';

/** Generated audio, joined, as it was found. */
export interface JudgedAudio {
  readonly bytes: Uint8Array;
  readonly inspected: Inspected;
  /** `undefined` when the request is not known. */
  readonly asked?: AskedAudio;
}

/** Decodes audio; what it is asked to be matters where its bytes do not say it themselves. */
export async function readAudio(
  bytes: Uint8Array,
  asked: AskedAudio | undefined,
  mediaType: string | undefined,
  deadlineMs: number,
): Promise<JudgedAudio> {
  const expected = asked ?? formatOfMediaType(mediaType) ?? { format: 'mp3', sampleRate: 44_100 };
  const inspected = await inspectInThread(
    bytes,
    { format: expected.format, sampleRate: expected.sampleRate },
    deadlineMs,
  );
  return { bytes, inspected, ...(asked !== undefined && { asked }) };
}

/** The facts, once it is known that the audio is one of the four formats. */
export function factsOf({ inspected }: JudgedAudio): AudioFacts | undefined {
  return 'facts' in inspected && inspected.facts.format !== 'other' ? inspected.facts : undefined;
}
