import { setTimeout as sleep } from 'node:timers/promises';
import type { SpeechJob, SpeechPiece } from '../speech/job.ts';
import type { LatencyProfile } from './latency-profiles.ts';

/** A clock and a way to wait, for tests. */
export interface Pacing {
  readonly signal: AbortSignal;
  /** Milliseconds of any origin. */
  readonly now?: () => number;
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Hands pieces on no sooner than a profile has it. While it waits, nothing more is made. */
export async function* pace(
  pieces: AsyncIterable<SpeechPiece>,
  job: SpeechJob,
  profile: LatencyProfile | undefined,
  { signal, now = () => performance.now(), wait = waitFor }: Pacing,
): AsyncGenerator<SpeechPiece> {
  if (profile === undefined) return yield* pieces;
  const { firstAudioMilliseconds, timesRealTime } = profile[job.latency];
  let due = now() + firstAudioMilliseconds;
  for await (const piece of pieces) {
    if (due > now()) await wait(due - now(), signal);
    // What came late is not caught up with: a slow moment of the machine is no licence for a burst.
    due = Math.max(due, now()) + (secondsOf(piece.audio, job) * 1000) / timesRealTime;
    yield piece;
  }
}

/** What automatic opus comes to, about. */
const automaticOpusBitrate = 48_000;

function secondsOf(audio: Uint8Array, job: SpeechJob): number {
  const bitsASecond = {
    wav: job.sample_rate * 16,
    pcm: job.sample_rate * 16,
    mp3: job.mp3_bitrate * 1000,
    opus: job.opus_bitrate > 0 ? job.opus_bitrate : automaticOpusBitrate,
  };
  return (audio.length * 8) / bitsASecond[job.format];
}

async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal });
}
