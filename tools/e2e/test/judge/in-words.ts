import type { Finding } from '@speech-api/contract';

/** A finding on one line, for the difference that a failing test prints. */
export function inWords({ severity, rule, exchange, where = '', message }: Finding): string {
  return `${severity} ${rule}: ${exchange} ${where} ${message}`;
}
