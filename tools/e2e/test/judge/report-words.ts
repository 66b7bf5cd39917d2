import type { Finding, VerifyOptions } from '@speech-api/contract';

/** Limits for a busy machine: speed is not judged here. */
export const patient: Pick<VerifyOptions, 'transport'> = {
  transport: { idleMs: 120_000, totalMs: 240_000 },
};

/** A finding on one line, for the output of a failing test. */
export function inWords({ severity, rule, exchange, where = '', message }: Finding): string {
  return `${severity} ${rule}: ${exchange} ${where} ${message}`;
}
