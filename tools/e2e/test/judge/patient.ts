import type { VerifyOptions } from '@speech-api/contract';

/** All the time that a busy machine may need: how fast an answer comes is nothing that is judged here. */
export const patient: Pick<VerifyOptions, 'limits' | 'decodeDeadlineMs'> = {
  limits: { idleMs: 120_000, totalMs: 240_000 },
  decodeDeadlineMs: 120_000,
};
