import { refusals } from '@speech-api/types';

/** How the spec refuses: an entry of `rules/refusals.yaml`. */
export interface RefusalEntry {
  readonly id: string;
  readonly status: number;
  readonly body: 'general' | 'validation';
}

/** The entries by these ids; one that the spec does not have is left out. */
export function refusalEntries(ids: readonly string[]): readonly RefusalEntry[] {
  const entries: readonly RefusalEntry[] = refusals;
  return entries.filter(({ id }) => ids.includes(id));
}

/** The refusals of a missing or wrong key. */
export const keyRefusals: readonly string[] = ['key-missing', 'key-unknown'];
