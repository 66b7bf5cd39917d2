import type { TimedSegment } from '../subjects/timestamps.ts';

/** Seconds by which times may be off. */
export const timeTolerance = 0.05;

/** The first segment that stands in the wrong place, in words; `undefined` when all are in order. */
export function disorderOf(
  segments: readonly TimedSegment[],
): { message: string; index: number } | undefined {
  for (const [index, { start, end }] of segments.entries()) {
    if (start < 0) return { message: `segment ${index} starts at ${start}, before zero`, index };
    if (end < start)
      return { message: `segment ${index} ends at ${end}, before it starts at ${start}`, index };
    const ahead = segments[index - 1];
    if (ahead !== undefined && start < ahead.start) {
      return {
        message: `segment ${index} starts at ${start}, before the one ahead of it at ${ahead.start}`,
        index,
      };
    }
  }
  return undefined;
}

/** The first segment that ends after so many seconds. */
export function beyond(segments: readonly TimedSegment[], seconds: number): number | undefined {
  const index = segments.findIndex(({ end }) => end > seconds + timeTolerance);
  return index < 0 ? undefined : index;
}
