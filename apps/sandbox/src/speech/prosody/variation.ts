import { createHash } from 'node:crypto';
import type { SpeechJob, VoiceProfile } from '../job.ts';

/** How a voice departs from its profile in one chunk. */
export interface Variation {
  /** Added to the pitch. */
  readonly pitch: number;
  /** Engine pitch range, 0 to 99: 50 is as written in the voice. */
  readonly range: number;
  /** Times as fast. */
  readonly rate: number;
}

const mostPitchSteps = 8;
const mostRangeSteps = 12;
const mostRateShare = 0.08;

/**
 * A little liveliness, more of it at a higher temperature and none at 0. It is drawn from the request itself:
 * the same request varies in the same way. Chunk by chunk, unless the voice is to stay as it was in those before.
 *
 * @param text of the chunk
 */
export function variationOf(job: SpeechJob, voice: VoiceProfile, text: string): Variation {
  const source = job.condition_on_previous_chunks ? job.text : text;
  const digest = createHash('sha256')
    .update(JSON.stringify([voice.seed, job.model, job.temperature, job.top_p, source]))
    .digest();
  // top_p narrows what may be drawn.
  const spread = job.temperature * job.top_p;
  return {
    pitch: Math.round(signed(digest.readUInt32BE(0)) * mostPitchSteps * spread),
    range: Math.round(
      50 + (job.temperature - 0.7) * 30 + signed(digest.readUInt32BE(4)) * mostRangeSteps * spread,
    ),
    rate: 1 + signed(digest.readUInt32BE(8)) * mostRateShare * spread,
  };
}

/** -1 to 1. */
function signed(value: number): number {
  return (value / 0xffffffff) * 2 - 1;
}
