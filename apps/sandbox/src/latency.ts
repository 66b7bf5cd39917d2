import { setTimeout as sleep } from 'node:timers/promises';
import type { LatencyMode } from '@speech-api/types';
import type { SpeechJob, SpeechPiece } from './speech/job.ts';

/** Delay and rate of the audio. */
export interface LatencyTiming {
  /** From the request to the first audio. */
  readonly firstAudioMilliseconds: number;
  /** Seconds of audio that leave in a second. */
  readonly timesRealTime: number;
  /** A small beginning that leaves ahead of the rest of its piece. @defaultValue the first piece leaves whole */
  readonly start?: { readonly bytes: number; readonly pauseMilliseconds: number };
}

/** One timing a latency mode. */
export type LatencyProfile = Readonly<Record<LatencyMode, LatencyTiming>>;

const smallStart = { bytes: 1024, pauseMilliseconds: 250 };

/**
 * Available latency profiles. The interface describes about 300 ms to first audio for `balanced`; all other
 * figures are assumed, and promise nothing about any service. `none` is as fast as the machine allows.
 */
export const latencyProfiles = {
  none: undefined,
  cloud: {
    low: { firstAudioMilliseconds: 200, timesRealTime: 3 },
    balanced: { firstAudioMilliseconds: 300, timesRealTime: 4 },
    normal: { firstAudioMilliseconds: 800, timesRealTime: 6 },
  },
  slow: {
    low: { firstAudioMilliseconds: 1000, timesRealTime: 1 },
    balanced: { firstAudioMilliseconds: 1500, timesRealTime: 1.1 },
    normal: { firstAudioMilliseconds: 4000, timesRealTime: 1.25 },
  },
  // A small first chunk and a pause before the second: what a player with a short buffer stumbles over.
  stutter: {
    low: { firstAudioMilliseconds: 200, timesRealTime: 3, start: smallStart },
    balanced: { firstAudioMilliseconds: 300, timesRealTime: 4, start: smallStart },
    normal: { firstAudioMilliseconds: 800, timesRealTime: 6, start: smallStart },
  },
} as const satisfies Readonly<Record<string, LatencyProfile | undefined>>;

/** The name of a profile. */
export type LatencyProfileName = keyof typeof latencyProfiles;

export const latencyProfileNames = Object.keys(latencyProfiles) as readonly LatencyProfileName[];

/** Whether a latency profile has this name. */
export function isLatencyProfileName(name: string): name is LatencyProfileName {
  return Object.hasOwn(latencyProfiles, name);
}

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
  const { firstAudioMilliseconds, timesRealTime, start } = profile[job.latency];
  let due = now() + firstAudioMilliseconds;
  let begun = false;
  for await (const whole of pieces) {
    if (due > now()) await wait(due - now(), signal);
    let piece = whole;
    if (!begun && start !== undefined && whole.audio.length > start.bytes) {
      yield { ...whole, audio: whole.audio.subarray(0, start.bytes) };
      await wait(start.pauseMilliseconds, signal);
      piece = { ...whole, audio: whole.audio.subarray(start.bytes) };
    }
    begun = true;
    // Lost time is not made up: a slow moment of the machine must not cause a burst afterwards.
    due = Math.max(due, now()) + (secondsOf(piece.audio, job) * 1000) / timesRealTime;
    yield piece;
  }
}

/** Approximate bitrate of automatic opus. */
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
