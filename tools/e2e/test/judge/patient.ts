import type { VerifyOptions } from '@speech-api/contract';

/**
 * All the time that a busy machine may need: how fast an answer comes is nothing that is judged here.
 * Two at a time are as many as the sandbox has engines at least, so that nobody waits for one until it answers 503.
 */
export const patient: Pick<VerifyOptions, 'limits' | 'decodeDeadlineMs' | 'concurrency'> = {
  limits: { idleMs: 120_000, totalMs: 240_000 },
  decodeDeadlineMs: 120_000,
  concurrency: 2,
};
