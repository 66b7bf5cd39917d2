import type { Coverage } from './coverage.ts';
import type { Finding } from './finding.ts';

/** What the judge says. */
export interface Report {
  readonly tool: { readonly name: string; readonly version: string };
  /** The version of `@speech-api/spec` it was judged by. */
  readonly specification: { readonly version: string };
  /** Errors first, then warnings, then drift; each in the order of the exchanges. */
  readonly findings: readonly Finding[];
  readonly coverage: Coverage;
  /** Every exchange by name. */
  readonly exchanges: readonly JudgedExchange[];
}

export interface JudgedExchange {
  readonly name: string;
  readonly operationId?: string;
  readonly status: number;
}
