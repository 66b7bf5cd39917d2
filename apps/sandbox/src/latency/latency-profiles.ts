import type { LatencyMode } from '@speech-api/types';

/** How soon and how fast audio leaves. */
export interface LatencyTiming {
  /** From the request to the first audio. */
  readonly firstAudioMilliseconds: number;
  /** Seconds of audio that leave in a second. */
  readonly timesRealTime: number;
}

/** One timing a latency mode. */
export type LatencyProfile = Readonly<Record<LatencyMode, LatencyTiming>>;

/**
 * What can be imitated. Section 2.1 describes about 300 ms to first audio for `balanced`; all other figures are
 * assumed, and no promise about any service. `none` is as fast as the machine can.
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
} as const satisfies Readonly<Record<string, LatencyProfile | undefined>>;

/** The name of a profile. */
export type LatencyProfileName = keyof typeof latencyProfiles;

export const latencyProfileNames = Object.keys(latencyProfiles) as readonly LatencyProfileName[];

/** Whether there is a profile of this name. */
export function isLatencyProfileName(name: string): name is LatencyProfileName {
  return Object.hasOwn(latencyProfiles, name);
}
