import type { Baseline } from './baseline.ts';
import type { Uncovered } from './coverage.ts';

export interface JudgeOptions {
  /** The server gives the same audio for the same request, as the sandbox and the mock do. @defaultValue false */
  readonly deterministic?: boolean;
  /**
   * `stateless` judges each answer alone: no rule speaks about what an earlier request has changed.
   * @defaultValue 'full'
   */
  readonly profile?: Profile;
  /** Violations that are known and do not count. */
  readonly baseline?: Baseline;
  /** Why something was not tried; it stands beside the gap in the coverage. */
  readonly notTried?: readonly Uncovered[];
  /** Milliseconds for decoding the audio of one answer, in a worker of its own. @defaultValue 60000 */
  readonly decodeDeadlineMs?: number;
}

export type Profile = 'full' | 'stateless';
