import type { OperationId } from '@speech-api/types';
import type { Source } from '../exchange.ts';
import type { Severity } from '../specification/rules.ts';
import type { Baseline } from './baseline.ts';
import type { Circumstance } from './circumstances.ts';
import type { Coverage, Uncovered } from './coverage.ts';

/** The judge's report. */
export interface Report {
  readonly tool: { readonly name: string; readonly version: string };
  /** The version of `@speech-api/spec` it was judged by. */
  readonly specification: { readonly version: string };
  /** Errors first, then warnings, then drift; each in the order of the exchanges. */
  readonly findings: readonly Finding[];
  /** Reasons why calls could not be judged: no credit, no permission, a rate limit, late answers, an operation without a success. */
  readonly circumstances: readonly Circumstance[];
  readonly coverage: Coverage;
  /** Every exchange by name. */
  readonly exchanges: readonly JudgedExchange[];
}

export interface JudgedExchange {
  readonly name: string;
  readonly operationId?: string;
  readonly status: number;
}

/** One place where the contract is not kept. */
export interface Finding {
  /** The id of a rule of the spec. */
  readonly rule: string;
  readonly severity: Severity;
  /** The fault and the correct behaviour, in one sentence. */
  readonly message: string;
  /** Left out when the request belongs to no operation. */
  readonly operationId?: OperationId;
  /** JSON pointer (`/items/0/state`), `byte 1204`, `event 3 /alignment`, `header content-type` or `message 2`. */
  readonly where?: string;
  readonly expected?: string;
  readonly actual?: string;
  /** The name of the exchange. */
  readonly exchange: string;
  /** The status of its answer; 0 when there was none. */
  readonly status: number;
  /** The media type in which its request was written, if it had a body. */
  readonly encoding?: string;
  /** The section of the interface the rule comes from. */
  readonly section: string;
  /** Repeats the request from a shell; the key is `$SPEECH_API_KEY`. Left out where a shell can't. */
  readonly curl?: string;
  /** Place of the recording, if the exchange comes from a file. */
  readonly source?: Source;
  /** It is in the baseline, so it does not count. */
  readonly known?: boolean;
}

export interface JudgeOptions {
  /** The server gives the same audio for the same request, as the sandbox and the mock do. @defaultValue false */
  readonly deterministic?: boolean | undefined;
  /**
   * `stateless` judges each answer alone: no rule depends on what an earlier request has changed.
   * @defaultValue 'full'
   */
  readonly profile?: Profile;
  /** Violations that are known and do not count. */
  readonly baseline?: Baseline | undefined;
  /** Operations that are judged; the coverage is that of these. All when left out or empty. */
  readonly operations?: readonly OperationId[] | undefined;
  /** Operations that are not judged. */
  readonly except?: readonly OperationId[] | undefined;
  /** Parts that were not tried, with the reason to show next to the gap in the coverage. */
  readonly notTried?: readonly Uncovered[];
}

export type Profile = 'full' | 'stateless';

/** Conditions under which a check fails. */
export interface Strictness {
  /** @defaultValue 'error' */
  readonly failOn?: Severity;
  /** Fail where something the spec documents was not seen. @defaultValue false */
  readonly requireFull?: boolean;
}

/** 0: the contract is kept. 1: it is not. 2: it was not judged, or an operation that was called never succeeded. */
export function exitCodeOf(
  report: Report,
  { failOn = 'error', requireFull = false }: Strictness = {},
): 0 | 1 | 2 {
  if (report.findings.some((finding) => counts(finding, failOn))) return 1;
  if (report.circumstances.length > 0 || report.exchanges.length === 0 || report.coverage.cells.length === 0)
    return 2;
  if (requireFull && report.coverage.uncovered.length > 0) return 1;
  return neverAnswered(report).length > 0 ? 2 : 0;
}

/** The operations that were called with correct requests and never succeeded. */
export function neverAnswered({ findings }: Pick<Report, 'findings'>): readonly string[] {
  return findings
    .filter(({ rule, known }) => rule === 'operation-answered' && known !== true)
    .flatMap(({ operationId }) => operationId ?? []);
}

/** From the one that counts most. */
const severities: readonly Severity[] = ['error', 'warning', 'drift'];

/** True if a finding makes a check fail. */
export function counts({ severity, known }: Finding, failOn: Severity = 'error'): boolean {
  return known !== true && severities.indexOf(severity) <= severities.indexOf(failOn);
}

/** Quantities that a server may bill. */
export interface Cost {
  readonly calls: number;
  /** Unicode code points of text to speak. */
  readonly characters: number;
  /** Seconds of audio to transcribe. */
  readonly audioSeconds: number;
}

/** Summary of a run: what was sent, what was not, and what is left on the server. */
export interface RunSummary {
  /** Total sent, clean-up included; characters and seconds as billed if the server does as it is asked. */
  readonly spent: Cost;
  /** Seconds waited at the server's request, and the number of calls that were then sent again. */
  readonly waited: { readonly seconds: number; readonly calls: number };
  readonly milliseconds: number;
  /** Number of calls that were made, and number of calls in all scenarios of the judge. */
  readonly calls: { readonly tried: number; readonly known: number };
  /** Scenarios that were not begun. */
  readonly leftOut: readonly { readonly scenario: string; readonly about: string; readonly reason: string }[];
  /** Single steps that could not be made. */
  readonly skipped: readonly { readonly step: string; readonly reason: string }[];
  /** Resources that the run made on the server and could not delete. Empty when all is clean. */
  readonly leftBehind: readonly string[];
  /** Broken off before all was done. */
  readonly interrupted: boolean;
}
