import type { SpeechClient } from '@speech-api/client';
import type { OperationId } from '@speech-api/types';

/** An operation whose samples cannot be run yet, and why. */
export interface NotRunYet {
  readonly operationId: OperationId;
  readonly reason: string;
  /** A good request; once the sandbox does not answer it with 501 any more, the samples can run and the entry has to go. */
  readonly probe: (client: SpeechClient) => Promise<unknown>;
}

/** Shown at the end of every run of the samples, and counted neither as passed nor as skipped. */
export const notRunYet: readonly NotRunYet[] = [];

/** Operations without samples, and why. */
export const notWrittenYet: readonly { readonly operationId: OperationId; readonly reason: string }[] = [
  { operationId: 'openLiveSession', reason: 'the package for the live socket does not exist yet' },
];
