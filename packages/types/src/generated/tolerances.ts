/** First version, written by hand until the generator takes over; the names stay. */
import type { Tolerance } from '../rule-data.ts';

export const tolerances: readonly Tolerance[] = [];
