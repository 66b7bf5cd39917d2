/** What callers have seen. */
export interface Figures {
  /** Calls or sessions that came to their end. */
  done: number;
  /** How often what went wrong, by its words. */
  readonly errors: Map<string, number>;
  /** Milliseconds to the first audio. */
  readonly firstAudio: number[];
  bytes: number;
}

export function newFigures(): Figures {
  return { done: 0, errors: new Map(), firstAudio: [], bytes: 0 };
}

export function noteError(figures: Figures, error: unknown): void {
  const words = error instanceof Error ? error.message : String(error);
  figures.errors.set(words, (figures.errors.get(words) ?? 0) + 1);
}

/** @param share 0 to 1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

export function summary(figures: Figures): Record<string, number | string> {
  const { done, errors, firstAudio, bytes } = figures;
  return {
    done,
    errors: [...errors.values()].reduce((sum, count) => sum + count, 0),
    'first audio p50 (ms)': percentile(firstAudio, 0.5),
    'first audio p95 (ms)': percentile(firstAudio, 0.95),
    'first audio p99 (ms)': percentile(firstAudio, 0.99),
    'received (MB)': Math.round(bytes / 1e6),
  };
}
